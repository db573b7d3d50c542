internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    func getCatalogInfo(_ call: IncomingCall) throws(RPCError) -> Step {
        _ = try GetCatalogInfoRequest(call)
        let response = GetCatalogInfoResponse(
            kind: GetCatalogInfoResponse.Kind(catalog.kind),
            characterCount: Int32(clamping: catalog.characterCount ?? 0),
            matches: catalog.matches.map { MatchValue($0) },
            attribution: catalog.attribution,
            loadedAt: catalog.loadedAt,
            serverVersion: serverVersion,
            history: "\(store.history)",
            canEdit: curation != nil && allowsEdits && call.principal.grants.permissions.contains(.catalogEdit)
        )
        return .last(response.encoded())
    }
}

extension GetCatalogInfoResponse.Kind {
    fileprivate init(_ kind: CatalogKind) {
        switch kind {
        case .builtIn: self = .builtIn
        case .synthetic: self = .synthetic
        case .gateway: self = .gateway
        case .file: self = .file
        }
    }
}
