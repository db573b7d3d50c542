package import RPCCore

/// The bytes of the picture and the encoding of the other fields, concatenated, are the encoding of the message.
extension GetThumbnailResponse {
    /// The field's number and wire type of `marvel.proto`; a test compares the output with libprotobuf-c's.
    private static let data: UInt8 = 1 << 3 | 2

    /// Protobuf omits an empty field.
    package static func dataByteCount(_ byteCount: Int) -> Int {
        byteCount == 0 ? 0 : 1 + Varint.byteCount(UInt64(byteCount)) + byteCount
    }

    package static func writeData(_ bytes: [UInt8], to writer: inout MessageWriter) {
        guard !bytes.isEmpty else { return }
        writer.write(tag: data, byteCount: bytes.count)
        bytes.withUnsafeBytes { writer.write($0) }
    }
}
