package import NIOCore

/// The `.proto` file defines the encoding. Only this target knows the C struct.
package protocol WireMessage: Sendable, Hashable {
    /// The protobuf name: `marvel.v1.SearchCharactersRequest`.
    static var fullName: String { get }

    /// Decodes all readable bytes. Unknown fields are skipped and unknown enum values are kept, as protobuf requires.
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
