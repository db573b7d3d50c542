package enum CallerEvent: Int, Sendable, Hashable, CaseIterable {
    // A caller was identified: once for each connection and token, and again when the tokens change.
    case local
    case anonymous
    case peer
    case certificate
    case token

    // A call or a stream was refused, because its caller is unknown.
    case tokenMissing
    case tokenInvalid
    case tokenExpired
    case tokenInClear

    // A call was refused, or a watch was ended, because of a quota.
    case callQuota
    case searchQuota
    case upstreamQuota
    case listQuota
    case watchQuota

    /// Nil if the reason is about something else.
    package init?(_ reason: ErrorReason) {
        switch reason {
        case .tokenMissing: self = .tokenMissing
        case .tokenInvalid: self = .tokenInvalid
        case .tokenExpired: self = .tokenExpired
        case .tokenInClear: self = .tokenInClear
        case .rateLimit: self = .callQuota
        case .searchShare: self = .searchQuota
        case .budgetShare: self = .upstreamQuota
        case .listLimit: self = .listQuota
        case .watchLimit: self = .watchQuota
        default: return nil
        }
    }
}
