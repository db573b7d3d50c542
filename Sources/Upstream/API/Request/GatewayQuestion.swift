/// A request to a gateway, without its signature.
package enum GatewayQuestion: Sendable, Hashable {
    case page(prefix: String, offset: Int, limit: Int)
    case character(id: Int64)

    /// The cache key of the answer. Questions with the same answer share it: it has no signature and no letter case.
    package var key: String {
        switch self {
        case .page(let prefix, let offset, let limit):
            "characters?limit=\(limit)&offset=\(offset)&nameStartsWith=\(prefix.lowercased())"
        case .character(let id):
            "characters/\(id)"
        }
    }

    var path: String {
        switch self {
        case .page: "/characters"
        case .character(let id): "/characters/\(id)"
        }
    }

    var query: [(String, String)] {
        switch self {
        case .page(let prefix, let offset, let limit):
            [("nameStartsWith", prefix), ("orderBy", "name"), ("limit", "\(limit)"), ("offset", "\(offset)")]
        case .character:
            []
        }
    }
}
