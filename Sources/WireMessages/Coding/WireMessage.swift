package import NIOCore

/// A message as a Swift value. Its `.proto` file defines its encoding. Its C struct is known only to this target.
package protocol WireMessage: Sendable, Hashable {
    /// The protobuf name: `marvel.v1.SearchCharactersRequest`.
    static var fullName: String { get }

    /// Decodes all readable bytes.
    ///
    /// Unknown fields are skipped and unknown enum values are kept, as protobuf requires.
    ///
    /// - Throws: `WireError` if the bytes are not an encoding of the message, are more than the limit allows, or hold
    ///   invalid text.
    init(decoding bytes: ByteBuffer, limit: DecodingLimit) throws(WireError)

    /// Appends the encoding. Equal values have equal bytes.
    func encode(into buffer: inout ByteBuffer)
}

extension WireMessage {
    /// Returns the encoding in a buffer of its own.
    package func encoded() -> ByteBuffer {
        var buffer = ByteBuffer()
        encode(into: &buffer)
        return buffer
    }
}
