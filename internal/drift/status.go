package drift

// The statuses that attribution goes by.
const (
	statusBadRequest      = 400
	statusUnauthorized    = 401
	statusForbidden       = 403
	statusProxyAuth       = 407
	statusRequestTimeout  = 408
	statusUnprocessable   = 422
	statusTooManyRequests = 429
	statusBadGateway      = 502
	statusGatewayTimeout  = 504
)

// statusWords names the statuses that documented failures are named for.
var statusWords = map[int]string{
	400: "bad_request", 401: "unauthorized", 402: "payment_required", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
	406: "not_acceptable", 409: "conflict", 410: "gone", 412: "precondition_failed", 413: "content_too_large", 415: "unsupported_media_type",
	422: "unprocessable_entity", 423: "locked", 424: "failed_dependency", 428: "precondition_required", 429: "too_many_requests",
	500: "internal_server_error", 501: "not_implemented", 502: "bad_gateway", 503: "service_unavailable", 504: "gateway_timeout",
}
