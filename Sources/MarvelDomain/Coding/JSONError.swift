/// The reason why a text is not the expected JSON, or a value has no JSON.
package struct JSONError: Error, Sendable, Hashable {
    package enum Problem: Sendable, Hashable {
        /// Not JSON (RFC 8259), at this byte.
        case syntax(offset: Int)
        /// The value is not of the member's type.
        case wrongType(expected: String)
        /// The number, time or duration is out of the range of its type.
        case outOfRange
        case missing
        case unknownField
        case unknownEnumValue
        case duplicate
        /// Not Unicode: invalid UTF-8, or an incomplete surrogate pair; or too many combining marks in a row.
        case invalidText
        case tooDeep(maximum: Int)
        /// The bytes are not a valid message, or the message has no JSON.
        case malformed
    }

    /// `favorites[2].savedAt`; empty for the whole value.
    package private(set) var field: String
    package let problem: Problem

    package init(_ problem: Problem, field: String = "") {
        self.field = field
        self.problem = problem
    }

    /// Extends the path by the member `outer`, or by an element of an array: `[2]`. Only the beginning of a long,
    /// unknown name is used.
    package func inside(_ outer: String) -> JSONError {
        let separator = field.isEmpty || field.hasPrefix("[") ? "" : "."
        return JSONError(problem, field: String(outer.unicodeScalars.prefix(64)) + separator + field)
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
        case .unknownField: "\(subject) is an unknown field"
        case .unknownEnumValue: "\(subject) is not a value of its enum"
        case .duplicate: "\(subject) is set twice"
        case .invalidText:
            "\(subject) is not Unicode text with at most \(CombiningMarks.maximumRun) combining marks in a row"
        case .malformed: "\(subject) has no JSON form"
        case .tooDeep(let maximum): "\(subject) is nested deeper than \(maximum) levels"
        }
    }
}
