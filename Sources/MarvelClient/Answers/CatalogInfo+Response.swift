internal import MarvelDomain
internal import WireMessages

extension CatalogInfo {
    init(_ response: GetCatalogInfoResponse) {
        let kind = Kind(response.kind)
        self.init(
            kind: kind,
            characterCount: kind == .gateway ? nil : Int(response.characterCount),
            // A way that this build does not know cannot be used with it either.
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
