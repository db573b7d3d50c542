package import NIOCore

/// A message as a Swift value. Its `.proto` file defines its encoding. Only this target knows its C struct.
package protocol WireMessage: Sendable, Hashable {
    /// The protobuf name: `marvel.v1.SearchCharactersRequest`.
    static var fullName: String { get }

    /// Decodes all readable bytes.
    ///
    /// Unknown fields are skipped and unknown enum values are kept, as protobuf requires.
    ///
    /// - Throws: `WireError` if the bytes are invalid, exceed the limit, or contain invalid text.
    init(decoding bytes: ByteBuffer, limit: DecodingLimit) throws(WireError)

    /// Appends the encoding. Equal values have equal bytes.
    func encode(into buffer: inout ByteBuffer)
}

extension WireMessage {
    package func encoded() -> ByteBuffer {
        var buffer = ByteBuffer()
        encode(into: &buffer)
        return buffer
    }
}
