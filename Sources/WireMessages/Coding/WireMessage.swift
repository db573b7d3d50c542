package import NIOCore

/// A message as a Swift value. What it looks like on the wire is its `.proto` file's business; which C struct stands
/// between the two is nobody's but this target's.
package protocol WireMessage: Sendable, Hashable {
    /// The protobuf name: `marvel.v1.SearchCharactersRequest`.
    static var fullName: String { get }

    /// Decodes all readable bytes.
    ///
    /// Unknown fields are passed over and unknown enum values are kept, as protobuf has it.
    ///
    /// - Throws: `WireError` if the bytes are not an encoding of the message, are more than the limit allows, or hold
    ///   text that is none.
    init(decoding bytes: ByteBuffer, limit: DecodingLimit) throws(WireError)

    /// Appends the encoding: the same bytes for equal values.
    func encode(into buffer: inout ByteBuffer)
}

extension WireMessage {
    /// The encoding in a buffer of its own.
    package func encoded() -> ByteBuffer {
        var buffer = ByteBuffer()
        encode(into: &buffer)
        return buffer
    }
}
