/// A permission that a principal may have, in the form of its text: `catalog:read`, `lists:write:family-*`.
package enum Scope: Sendable, Hashable, CustomStringConvertible {
    /// Search, and read characters and their pictures.
    case catalogRead
    /// Add and edit characters.
    case catalogEdit
    /// Read and watch lists.
    case listsRead(ListPattern)
    /// Change and delete lists; reading them is included.
    case listsWrite(ListPattern)
    /// See the names of all lists, and other things that only the operator needs.
    case admin

    /// All scopes, each for all lists.
    package static let all: [Scope] = [.catalogRead, .catalogEdit, .listsWrite(.all), .admin]

    /// The forms of a scope, for messages.
    package static let forms = "catalog:read, catalog:edit, lists:read:PATTERN, lists:write:PATTERN, admin"

    /// Reads a scope. Nil if the text is none.
    package init?(_ text: String) {
        switch text {
        case "catalog:read": self = .catalogRead
        case "catalog:edit": self = .catalogEdit
        case "admin": self = .admin
        default:
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "lists", let pattern = ListPattern(String(parts[2])) else { return nil }
            switch parts[1] {
            case "read": self = .listsRead(pattern)
            case "write": self = .listsWrite(pattern)
            default: return nil
            }
        }
    }

    package var description: String {
        switch self {
        case .catalogRead: "catalog:read"
        case .catalogEdit: "catalog:edit"
        case .listsRead(let pattern): "lists:read:\(pattern)"
        case .listsWrite(let pattern): "lists:write:\(pattern)"
        case .admin: "admin"
        }
    }
}
