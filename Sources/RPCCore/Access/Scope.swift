/// A permission of a principal, in the form of its text: `catalog:read`, `lists:write:family-*`.
package enum Scope: Sendable, Hashable, CustomStringConvertible {
    case catalogRead
    case catalogEdit
    case listsRead(ListPattern)
    /// Change and delete lists, and read them.
    case listsWrite(ListPattern)
    /// See the names of all lists, and other things for the operator.
    case admin

    /// Each for all lists.
    package static let all: [Scope] = [.catalogRead, .catalogEdit, .listsWrite(.all), .admin]

    package static let forms = "catalog:read, catalog:edit, lists:read:PATTERN, lists:write:PATTERN, admin"

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
