internal import WireMessages

/// What a server says of itself (`grpc.health.v1`).
public enum HealthStatus: Sendable, Hashable {
    /// Not known yet.
    case unknown
    /// Calls are taken.
    case serving
    /// Calls are refused: the server is starting or draining, or what it stands on has failed.
    case notServing
    /// The server has no service of that name; a check of it fails with NOT_FOUND instead.
    case serviceUnknown
    /// A status that this build does not know, by its number.
    case other(Int32)
}

extension HealthStatus {
    init(_ response: HealthCheckResponse) {
        switch response.status {
        case .unknown: self = .unknown
        case .serving: self = .serving
        case .notServing: self = .notServing
        case .serviceUnknown: self = .serviceUnknown
        default: self = .other(response.status.rawValue)
        }
    }
}
