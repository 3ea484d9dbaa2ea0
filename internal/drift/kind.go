package drift

// Kind names one way in which behaviour leaves its documentation. The set is
// closed; Catalogue lists it.
type Kind string

// The kinds.
const (
	ErrorMaskedAsEmptySuccess      Kind = "error_masked_as_empty_success"
	PhantomSuccess                 Kind = "phantom_success"
	ErrorFlagLost                  Kind = "error_flag_lost"
	SuccessFlaggedAsError          Kind = "success_flagged_as_error"
	UndocumentedErrorCode          Kind = "undocumented_error_code"
	ErrorCodeSubstituted           Kind = "error_code_substituted"
	DocumentedErrorNeverSeen       Kind = "documented_error_never_seen"
	ErrorBodyShapeChanged          Kind = "error_body_shape_changed"
	RetryabilityChanged            Kind = "retryability_changed"
	ValidationRelaxed              Kind = "validation_relaxed"
	ValidationTightened            Kind = "validation_tightened"
	RequiredOutputMissing          Kind = "required_output_missing"
	OptionalOutputVanished         Kind = "optional_output_vanished"
	OptionalOutputRateShift        Kind = "optional_output_rate_shift"
	UndocumentedOutputField        Kind = "undocumented_output_field"
	OutputTypeChanged              Kind = "output_type_changed"
	NullabilityChanged             Kind = "nullability_changed"
	EnumEscape                     Kind = "enum_escape"
	BoundEscape                    Kind = "bound_escape"
	FormatShift                    Kind = "format_shift"
	EnvelopeChanged                Kind = "envelope_changed"
	ArrayScalarFlip                Kind = "array_scalar_flip"
	SchemaChangedWithoutVersion    Kind = "schema_changed_without_version"
	VersionChangedWithoutSchema    Kind = "version_changed_without_schema"
	ParamUnitShift                 Kind = "param_unit_shift"
	OutputUnitShift                Kind = "output_unit_shift"
	ParamIgnored                   Kind = "param_ignored"
	DefaultChanged                 Kind = "default_changed"
	IndexOrBoundConvention         Kind = "index_or_bound_convention"
	TimezoneOrLocaleShift          Kind = "timezone_or_locale_shift"
	CoordinateOrArgumentOrderSwap  Kind = "coordinate_or_argument_order_swap"
	CaseOrNormalisationChange      Kind = "case_or_normalisation_change"
	FilterSemanticsChanged         Kind = "filter_semantics_changed"
	OrderingChanged                Kind = "ordering_changed"
	PaginationContractChanged      Kind = "pagination_contract_changed"
	SilentTruncation               Kind = "silent_truncation"
	StalenessIncrease              Kind = "staleness_increase"
	Nondeterminism                 Kind = "nondeterminism"
	IdempotencyLost                Kind = "idempotency_lost"
	SideEffectInRead               Kind = "side_effect_in_read"
	PartialWriteReportedAsFull     Kind = "partial_write_reported_as_full"
	AuthScopeWidened               Kind = "auth_scope_widened"
	AuthScopeTightened             Kind = "auth_scope_tightened"
	CrossPrincipalLeak             Kind = "cross_principal_leak"
	LatencyShift                   Kind = "latency_shift"
	PayloadSizeShift               Kind = "payload_size_shift"
	ContentTypeChanged             Kind = "content_type_changed"
	EncodingOrPrecisionLoss        Kind = "encoding_or_precision_loss"
	UnstructuredFallback           Kind = "unstructured_fallback"
	DescriptionChangedSameContract Kind = "description_changed_same_contract"
	AnnotationFlip                 Kind = "annotation_flip"
	ToolRenamedOrShadowed          Kind = "tool_renamed_or_shadowed"
	BindingChanged                 Kind = "binding_changed"
	InjectedInstructionsInResult   Kind = "injected_instructions_in_result"
	DeprecationOrSunsetSignal      Kind = "deprecation_or_sunset_signal"
)

// Means says by what a kind is found.
type Means string

// The means.
const (
	Observed Means = "observed" // one call contradicts the documentation
	Rates    Means = "rates"    // many calls do, by statistics
	Probed   Means = "probed"   // only a call made to find out shows it
	Defined  Means = "defined"  // the definition itself moved
)

// Entry is one row of the catalogue. An empty severity means that the kind
// cannot occur with that effect.
type Entry struct {
	Kind  Kind
	Means []Means
	Read  Severity // of a tool that reads
	Write Severity // of one that writes or destroys
	Says  string   // what it is, for people
}

// Catalogue gives every kind, in a fixed order.
func Catalogue() []Entry {
	return []Entry{
		{ErrorMaskedAsEmptySuccess, []Means{Probed, Rates}, Critical, Critical, "a documented failure comes back as a success with nothing in it"},
		{PhantomSuccess, []Means{Probed}, Critical, Critical, "what does not exist comes back with content"},
		{ErrorFlagLost, []Means{Observed}, Major, Critical, "the answer speaks of an error and is not marked as one"},
		{SuccessFlaggedAsError, []Means{Observed}, Major, Critical, "a success is marked as an error"},
		{UndocumentedErrorCode, []Means{Observed}, Minor, Major, "a failure that the documentation does not list"},
		{ErrorCodeSubstituted, []Means{Observed, Probed}, Major, Major, "a documented failure under the code of another"},
		{DocumentedErrorNeverSeen, []Means{Rates}, Minor, Major, "a documented failure no longer comes, although its cause does"},
		{ErrorBodyShapeChanged, []Means{Observed}, Minor, Major, "the body of a failure has another form"},
		{RetryabilityChanged, []Means{Observed, Rates}, Minor, Major, "what was to be retried is final, or the other way round"},
		{ValidationRelaxed, []Means{Probed}, Minor, Critical, "arguments outside the documented input are taken"},
		{ValidationTightened, []Means{Observed, Rates}, Major, Major, "arguments inside the documented input are refused"},
		{RequiredOutputMissing, []Means{Observed}, Major, Major, "a required member is missing"},
		{OptionalOutputVanished, []Means{Rates}, Minor, Major, "an optional member that used to come no longer does"},
		{OptionalOutputRateShift, []Means{Rates}, Minor, Minor, "an optional member comes more or less often"},
		{UndocumentedOutputField, []Means{Observed}, Minor, Minor, "a member that the documentation does not have"},
		{OutputTypeChanged, []Means{Observed}, Major, Critical, "a value of another type"},
		{NullabilityChanged, []Means{Observed}, Major, Major, "null where none may stand"},
		{EnumEscape, []Means{Observed}, Major, Major, "a value outside the documented list"},
		{BoundEscape, []Means{Observed}, Minor, Major, "a value outside the documented bounds"},
		{FormatShift, []Means{Observed, Rates}, Major, Critical, "a value in another format"},
		{EnvelopeChanged, []Means{Observed}, Major, Critical, "the answer is nested in another way"},
		{ArrayScalarFlip, []Means{Observed, Rates}, Major, Major, "one element in the place of a list, or a list in the place of one"},
		{SchemaChangedWithoutVersion, []Means{Defined}, Major, Critical, "another schema under the same version"},
		{VersionChangedWithoutSchema, []Means{Defined}, Minor, Minor, "another version with the same schema"},
		{ParamUnitShift, []Means{Probed}, Critical, Critical, "an argument is read in another unit"},
		{OutputUnitShift, []Means{Rates, Probed}, Critical, Critical, "a result is in another unit"},
		{ParamIgnored, []Means{Probed}, Major, Critical, "an argument has no effect"},
		{DefaultChanged, []Means{Probed, Rates}, Major, Critical, "an argument left out is read as another value"},
		{IndexOrBoundConvention, []Means{Probed}, Major, Critical, "counting from another number, or a bound read the other way"},
		{TimezoneOrLocaleShift, []Means{Probed, Rates}, Major, Critical, "times or numbers of another zone or locale"},
		{CoordinateOrArgumentOrderSwap, []Means{Probed}, Critical, Critical, "two arguments are read in each other's place"},
		{CaseOrNormalisationChange, []Means{Probed}, Minor, Major, "text is folded in another way"},
		{FilterSemanticsChanged, []Means{Probed}, Major, Critical, "a filter lets other items through"},
		{OrderingChanged, []Means{Probed, Rates}, Minor, Major, "items in another order"},
		{PaginationContractChanged, []Means{Probed, Rates}, Major, Major, "pages overlap, leave gaps, or have another size"},
		{SilentTruncation, []Means{Rates, Probed}, Major, Critical, "fewer items than there are, and nothing says so"},
		{StalenessIncrease, []Means{Probed, Rates}, Minor, Major, "a read does not show what was written before it"},
		{Nondeterminism, []Means{Probed, Rates}, Minor, Major, "the same read gives another answer"},
		{IdempotencyLost, []Means{Probed, Observed}, None, Critical, "a repeated write is done twice"},
		{SideEffectInRead, []Means{Probed, Observed}, Critical, None, "a read changes something"},
		{PartialWriteReportedAsFull, []Means{Probed}, None, Critical, "a part of a write is reported as the whole"},
		{AuthScopeWidened, []Means{Probed}, Critical, Critical, "a call works without the scope it needs"},
		{AuthScopeTightened, []Means{Observed}, Major, Major, "a call needs a scope that is not documented"},
		{CrossPrincipalLeak, []Means{Probed, Observed}, Critical, Critical, "an answer holds what is another's"},
		{LatencyShift, []Means{Rates}, Minor, Minor, "answers take longer or shorter"},
		{PayloadSizeShift, []Means{Rates}, Minor, Minor, "answers are larger or smaller"},
		{ContentTypeChanged, []Means{Observed}, Major, Major, "an answer in another media type"},
		{EncodingOrPrecisionLoss, []Means{Observed, Probed}, Major, Critical, "a value comes back with less precision"},
		{UnstructuredFallback, []Means{Observed}, Major, Major, "text in the place of a structured result"},
		{DescriptionChangedSameContract, []Means{Defined}, Major, Critical, "other wording on an unchanged contract"},
		{AnnotationFlip, []Means{Defined}, Critical, Critical, "the source says another thing of its effect"},
		{ToolRenamedOrShadowed, []Means{Defined}, Major, Critical, "a tool under another name, or another under its name"},
		{BindingChanged, []Means{Defined}, Major, Critical, "another endpoint or server"},
		{InjectedInstructionsInResult, []Means{Observed}, Critical, Critical, "a result gives orders to a model"},
		{DeprecationOrSunsetSignal, []Means{Observed}, Minor, Minor, "the source announces an end"},
	}
}
