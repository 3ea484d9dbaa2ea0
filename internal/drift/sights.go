package drift

import (
	"slices"
	"strings"
)

// sights says what traffic can show at this tool's rate, and what only a probe
// does.
func (t *tool) sights(r *Row) {
	days := float64(t.Last-t.First) / 86400
	if n := t.Profile.relevant(); n > 1 && days > 0 {
		r.PerDay = float64(n-1) / days
	}
	for _, e := range Catalogue() {
		if s := e.Read; reads(t.Doc.Effect) && s == None || !reads(t.Doc.Effect) && e.Write == None {
			continue
		}
		calls, ok := t.needed(e)
		switch {
		case !ok:
			if slices.Contains(e.Means, Probed) {
				r.ProbeOnly = append(r.ProbeOnly, e.Kind)
			}
			continue
		case calls == 0:
			continue
		}
		s := Sight{Kind: e.Kind, Calls: calls}
		if r.PerDay > 0 {
			s.Days = float64(calls) / r.PerDay
		}
		r.Visible = append(r.Visible, s)
	}
}

// needed is how many calls show a kind if every one of them could; false where
// traffic does not show it at this tool.
func (t *tool) needed(e Entry) (int64, bool) {
	meant := func(part string) bool {
		return slices.ContainsFunc(t.Doc.Meanings, func(m string) bool { return strings.Contains(m, part) })
	}
	switch e.Kind {
	case ErrorMaskedAsEmptySuccess, PhantomSuccess, DocumentedErrorNeverSeen, ErrorBodyShapeChanged, RetryabilityChanged:
		return 6, len(t.Doc.Errors) > 0 && t.failures() > 0
	case UndocumentedErrorCode, ErrorCodeSubstituted:
		return 2, len(t.Doc.Errors) > 0
	case OptionalOutputVanished, OptionalOutputRateShift:
		return t.presenceCalls()
	case ParamUnitShift, CoordinateOrArgumentOrderSwap, EncodingOrPrecisionLoss, TimezoneOrLocaleShift:
		return 2, meant(" repeats ") || meant(" plus ") || len(t.Waits) > 0
	case ParamIgnored, SilentTruncation, DefaultChanged, IndexOrBoundConvention:
		return 2, meant(" bounds ")
	case OutputUnitShift:
		return 2, len(t.Units) > 0
	case SideEffectInRead:
		return minRaises + 1, meant(" by writes alone")
	case LatencyShift, PayloadSizeShift:
		return paceRows*paceWindow + max(0, paceBase-int64(t.Pace.N)), true
	case ValidationTightened:
		return 2, true
	case RequiredOutputMissing, UndocumentedOutputField, OutputTypeChanged, NullabilityChanged, EnumEscape, BoundEscape, FormatShift, EnvelopeChanged,
		ArrayScalarFlip, ContentTypeChanged, UnstructuredFallback:
		return int64(t.needs(e.Kind, false)), t.Doc.Output
	case ErrorFlagLost, SuccessFlaggedAsError, InjectedInstructionsInResult, DeprecationOrSunsetSignal, AuthScopeTightened:
		return int64(t.needs(e.Kind, false)), true
	}
	if slices.Contains(e.Means, Defined) {
		return 0, true
	}
	return 0, false
}

func (t *tool) failures() int64 {
	n := int64(0)
	for name, count := range t.Profile.Outcomes {
		if strings.HasPrefix(name, "error ") {
			n += count
		}
	}
	return n
}

// presenceCalls is how many calls show that the rarest learned member no longer
// comes, with those that are missing of its baseline.
func (t *tool) presenceCalls() (int64, bool) {
	most, any := int64(0), false
	for name, s := range t.Streams {
		if !strings.HasPrefix(name, "has ") {
			continue
		}
		any = true
		if s.Phase == learning {
			most = max(most, baselineN-s.N+20)
		} else if s.L > 0 {
			most = max(most, vanishing(s.L))
		}
	}
	return max(most, 1), any
}
