internal import RPCCore

/// `google.rpc.BadRequest`.
struct BadRequest {
    let violations: [FieldViolation]
}

/// `google.rpc.RetryInfo`.
struct RetryInfo {
    let delay: Duration
}

/// `google.rpc.QuotaFailure`.
struct QuotaFailure {
    let violations: [QuotaViolation]
}
