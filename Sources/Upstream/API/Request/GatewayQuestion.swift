/// A request to a gateway, without the parts that differ from call to call.
package enum GatewayQuestion: Sendable, Hashable {
    /// The characters whose name begins with `prefix`, in the gateway's order of names: at most `limit`, 1 to 100, after
    /// the first `offset`. The gateway ignores letter case.
    case page(prefix: String, offset: Int, limit: Int)
    /// The character with an id above 0.
    case character(id: Int64)

    /// The key of the answer in caches. Questions with the same answer have the same key: it has no signature, which
    /// differs with each request, and no letter case.
    package var key: String {
        switch self {
        case .page(let prefix, let offset, let limit):
            "characters?limit=\(limit)&offset=\(offset)&nameStartsWith=\(prefix.lowercased())"
        case .character(let id):
            "characters/\(id)"
        }
    }

    /// The path below the API's root.
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
