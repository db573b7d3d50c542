/// The reason that a text could not be read as JSON of what was expected, or that a value has no JSON.
package struct JSONError: Error, Sendable, Hashable {
    package enum Problem: Sendable, Hashable {
        /// The text is not JSON (RFC 8259), at the byte with this number.
        case syntax(offset: Int)
        /// The value is not of the member's type.
        case wrongType(expected: String)
        /// The number, time or duration is out of the range of its type.
        case outOfRange
        /// The member is required, and is not there.
        case missing
        /// There is no member of the name.
        case unknownField
        /// The enum has no value of the name.
        case unknownEnumValue
        /// The member occurs twice, or two members occur that exclude each other.
        case duplicate
        /// The text is not Unicode: it is not UTF-8, or half of a surrogate pair is missing.
        case invalidText
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(maximum: Int)
        /// The bytes are not an encoding of a message, or it is one that has no JSON.
        case malformed
        /// There are more bytes than the limit.
        case tooLarge(byteCount: Int, maximum: Int)
    }

    /// The path of the member: `favorites[2].savedAt`; empty for the whole value.
    package private(set) var field: String
    package let problem: Problem

    package init(_ problem: Problem, field: String = "") {
        self.field = field
        self.problem = problem
    }

    /// Returns the same error with its path extended by the member `outer`, or by an element of an array: `[2]`. Of a
    /// long name, which no member has, the path has the beginning.
    package func inside(_ outer: String) -> JSONError {
        let separator = field.isEmpty || field.hasPrefix("[") ? "" : "."
        return JSONError(problem, field: outer.prefix(64) + separator + field)
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        let subject = field.isEmpty ? "the text" : field
        return switch problem {
        case .syntax(let offset): "\(subject) is not JSON at byte \(offset)"
        case .wrongType(let expected): "\(subject) is not \(expected)"
        case .outOfRange: "\(subject) is out of range"
        case .missing: "\(subject) is missing"
        case .unknownField: "\(subject) is not the name of a field"
        case .unknownEnumValue: "\(subject) is a name that its enum does not have"
        case .duplicate: "\(subject) is set twice"
        case .invalidText: "\(subject) is not Unicode text"
        case .malformed: "\(subject) is not a message that has JSON"
        case .tooDeep(let maximum): "\(subject) is nested deeper than \(maximum) levels"
        case .tooLarge(let byteCount, let maximum): "\(subject) has \(byteCount) bytes, maximum is \(maximum)"
        }
    }
}
