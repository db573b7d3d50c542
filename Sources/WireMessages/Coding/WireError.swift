package import MarvelDomain
internal import RPCCore

/// The reason that bytes could not be decoded. Messages are named by their protobuf name, fields by their path.
package enum WireError: Error, Sendable, Hashable {
    /// The bytes are no encoding of the message.
    case malformed(String, byteCount: Int)
    /// A `string` field is not UTF-8, or holds a NUL.
    case invalidText(field: String)
    /// A field's value is one that its type does not have.
    case invalidValue(field: String)
    /// There are more bytes than the limit; they were not decoded.
    case tooLarge(String, byteCount: Int, maximum: Int)
    /// The decoded message would need more memory than the limit, even if its bytes are few.
    case tooMuchMemory(String, byteCount: Int, budget: Int)
    /// A request's metadata is over `Metadata.maximumPairs` or `Metadata.maximumBytes`.
    case metadataTooLarge(pairs: Int, bytes: Int)
    /// A text is not the JSON of the message.
    case json(JSONError)
}

extension WireError {
    /// Returns the same error with its field path extended by the field `outer`.
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
            "\(byteCount) bytes are no \(message)"
        case .invalidText(let field):
            "\(field) is not UTF-8 text without NUL"
        case .invalidValue(let field):
            "\(field) has a value that its type does not have"
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
