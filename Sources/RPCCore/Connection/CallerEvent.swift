/// An event about the identity or the quotas of a caller, as it is counted for the operator.
package enum CallerEvent: Int, Sendable, Hashable, CaseIterable {
    // A caller was found out: once for each connection and each token on it, and again when the tokens change.
    case local
    case anonymous
    /// The user at the other side of a unix socket has a name.
    case peer
    case certificate
    case token

    // A call, or a stream, was refused because its caller is not known.
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

    /// Makes the event of a call that ended with an error; nil if its reason is about something else.
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
