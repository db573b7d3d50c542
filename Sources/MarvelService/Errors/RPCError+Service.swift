internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension RPCError {
    static func characterNotFound(_ id: Int64) -> RPCError {
        RPCError(
            .notFound,
            reason: .characterNotFound,
            "no character has the id \(id)",
            metadata: ["id": "\(id)"]
        )
    }

    static func thumbnailNotFound(_ id: Int64, _ error: PictureError) -> RPCError {
        RPCError(
            .notFound,
            reason: .thumbnailNotFound,
            "the picture of the character \(id) is unavailable: \(error)",
            metadata: ["id": "\(id)", "cause": "\(error)"]
        )
    }

    static func matchUnsupported(_ match: MatchValue, supported: [Match]) -> RPCError {
        let values = supported.map { MatchValue($0).rawValue }
        let names = zip(supported, values).map { "\($0.protobufName) (\($1))" }
        return RPCError(
            .unimplemented,
            reason: .matchUnsupported,
            "this catalog does not support match \(match.rawValue): use \(names.joined(separator: ", "))",
            metadata: [
                "match": "\(match.rawValue)", "supported": values.map(String.init).joined(separator: ","),
            ]
        )
    }

    static func revisionCompacted(_ value: Int64, oldest: Int64, _ place: FavoritesPlace) -> RPCError {
        RPCError(
            .outOfRange,
            reason: .revisionCompacted,
            "changes after revision \(value) are no longer available: start from \(oldest) or later, or request a snapshot",
            metadata: ["value": "\(value)", "oldest": "\(oldest)", "place": place.text]
        )
    }

    /// The store was restored from a copy, or has lost its end.
    static func historyChanged() -> RPCError {
        RPCError(
            .failedPrecondition,
            reason: .historyChanged,
            "the server's store was restored and no longer has the changes after this place: read the list again"
        )
    }

    /// The error does not repeat the name, which is the caller's text.
    static func serviceUnknown() -> RPCError {
        RPCError(.notFound, reason: .serviceUnknown, "unknown service")
    }
}

extension Match {
    fileprivate var protobufName: String {
        switch self {
        case .prefix: "PREFIX"
        case .wordPrefix: "WORD_PREFIX"
        case .substring: "SUBSTRING"
        case .fuzzy: "FUZZY"
        }
    }
}
