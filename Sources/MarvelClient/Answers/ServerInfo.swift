internal import MarvelDomain
internal import WireMessages

/// The status that a server reports of itself (`grpc.health.v1`).
public enum HealthStatus: Sendable, Hashable {
    /// The status is not known yet.
    case unknown
    /// The server accepts calls.
    case serving
    /// The server refuses calls: it is starting or draining, or a dependency has failed.
    case notServing
    /// The server has no service of that name. A check fails with NOT_FOUND instead of returning this.
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

extension CatalogInfo {
    init(_ response: GetCatalogInfoResponse) {
        let kind = Kind(response.kind)
        self.init(
            kind: kind,
            characterCount: kind == .gateway ? nil : Int(response.characterCount),
            // A match that this build does not know cannot be used with it either.
            matches: response.matches.compactMap(\.match),
            attribution: response.attribution,
            loadedAt: response.loadedAt,
            serverVersion: response.serverVersion,
            history: response.history
        )
    }
}

extension CatalogInfo.Kind {
    fileprivate init(_ kind: GetCatalogInfoResponse.Kind) {
        switch kind {
        case .builtIn: self = .builtIn
        case .synthetic: self = .synthetic
        case .gateway: self = .gateway
        case .file: self = .file
        default: self = .other(kind.rawValue)
        }
    }
}
