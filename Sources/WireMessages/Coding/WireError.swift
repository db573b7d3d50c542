package import MarvelDomain
internal import RPCCore

/// Messages have their protobuf name, fields their path.
package enum WireError: Error, Sendable, Hashable {
    case malformed(String, byteCount: Int)
    /// A `string` field is invalid UTF-8, contains NUL, or has too many combining marks in a row.
    case invalidText(field: String)
    case invalidValue(field: String)
    case tooLarge(String, byteCount: Int, maximum: Int)
    /// The message may have few bytes.
    case tooMuchMemory(String, byteCount: Int, budget: Int)
    /// A request's metadata exceeds `Metadata.maximumPairs` or `Metadata.maximumBytes`.
    case metadataTooLarge(pairs: Int, bytes: Int)
    case json(JSONError)
}

extension WireError {
    func inside(_ outer: String) -> WireError {
        switch self {
        case .invalidText(let field): .invalidText(field: "\(outer).\(field)")
        case .invalidValue(let field): .invalidValue(field: "\(outer).\(field)")
        case .malformed, .tooLarge, .tooMuchMemory, .metadataTooLarge, .json: self
        }
    }
}

extension WireError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let message, let byteCount):
            "malformed \(message) of \(byteCount) bytes"
        case .invalidText(let field):
            "\(field) is not UTF-8 text without NUL, with at most \(CombiningMarks.maximumRun) combining marks in a row"
        case .invalidValue(let field):
            "\(field) has an invalid value for its type"
        case .tooLarge(let message, let byteCount, let maximum):
            "\(message) has \(byteCount) bytes, maximum is \(maximum)"
        case .tooMuchMemory(let message, let byteCount, let budget):
            "\(message) of \(byteCount) bytes needs more than \(budget) bytes of memory"
        case .metadataTooLarge(let pairs, let bytes):
            "metadata has \(pairs) pairs and \(bytes) bytes, maximum is \(Metadata.maximumPairs) pairs and "
                + "\(Metadata.maximumBytes) bytes"
        case .json(let error):
            error.description
        }
    }
}
