package import MarvelDomain
package import NIOCore
package import RPCCore

/// A page is assembled from parts. Concatenated encodings of a message are an encoding of it: repeated fields are
/// joined, and of other fields the last value counts (Protocol Buffers, "Encoding").
extension SearchCharactersResponse {
    // Field numbers and wire types of `marvel.proto`; a test compares the output with libprotobuf-c's.
    private static let characters: UInt8 = 1 << 3 | 2
    private static let total: UInt8 = 2 << 3 | 0
    private static let nextPageToken: UInt8 = 3 << 3 | 2
    private static let favoriteIDs: UInt8 = 4 << 3 | 2

    /// Appends one element of the field `characters`: tag, length, and the character's encoding.
    package static func writeCharacter(_ character: MarvelCharacter, into buffer: inout ByteBuffer) {
        let encoded = character.encodedWireForm()
        let length = encoded.readableBytes
        buffer.write(byteCount: 1 + Varint.byteCount(UInt64(length)) + length) { writer in
            writer.write(tag: characters, byteCount: length)
            writer.write(encoded)
        }
    }

    package static func nameRange(ofElement bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var element = FieldScanner(bytes)
        guard let content = element.bytes(1) else { return 0..<0 }
        var fields = FieldScanner(UnsafeRawBufferPointer(rebasing: bytes[content]))
        _ = fields.varint(1)
        guard let name = fields.bytes(2) else { return 0..<0 }
        return content.lowerBound + name.lowerBound..<content.lowerBound + name.upperBound
    }

    /// Nil without a picture.
    package static func pictureRanges(
        ofElement bytes: UnsafeRawBufferPointer
    ) -> (name: Range<Int>, path: Range<Int>)? {
        var element = FieldScanner(bytes)
        guard let content = element.bytes(1) else { return nil }
        var fields = FieldScanner(UnsafeRawBufferPointer(rebasing: bytes[content]))
        _ = fields.varint(1)
        guard let name = fields.bytes(2) else { return nil }
        // The description and the time of the last change.
        _ = fields.bytes(3)
        _ = fields.bytes(4)
        guard let picture = fields.bytes(5) else { return nil }
        let start = content.lowerBound
        let pathStart = start + picture.lowerBound
        var parts = FieldScanner(UnsafeRawBufferPointer(rebasing: bytes[pathStart..<start + picture.upperBound]))
        let path = parts.bytes(1) ?? 0..<0
        return (
            start + name.lowerBound..<start + name.upperBound,
            pathStart + path.lowerBound..<pathStart + path.upperBound
        )
    }

    /// Empty on the last page, or for invalid bytes.
    package static func nextPageToken(ofEncoded page: ByteBuffer) -> String {
        page.withUnsafeReadableBytes { bytes in
            var fields = EncodedFields(bytes)
            var token = ""
            // In protobuf, the last occurrence of a field counts.
            while let field = try? fields.next() {
                guard field.number == 3, field.wireType == EncodedFields.lengthDelimited else { continue }
                token = String(decoding: bytes[field.content], as: UTF8.self)
            }
            return token
        }
    }

    package struct CallFields: Sendable {
        private let total: UInt64
        private let tokenLength: Int
        private let favoriteIDs: [Int64]

        /// `tokenLength` is in bytes, 0 on the last page. `favoriteIDs` have the page's order.
        package init(total: Int32, tokenLength: Int, favoriteIDs: [Int64]) {
            self.total = UInt64(max(total, 0))
            self.tokenLength = tokenLength
            self.favoriteIDs = favoriteIDs
        }

        package var byteCount: Int {
            // Protobuf omits fields that are 0 or empty.
            (total == 0 ? 0 : 1 + Varint.byteCount(total))
                + (tokenLength == 0 ? 0 : 1 + Varint.byteCount(UInt64(tokenLength)) + tokenLength)
                + (favoriteIDs.isEmpty ? 0 : 1 + Varint.byteCount(UInt64(packedByteCount)) + packedByteCount)
        }

        private var packedByteCount: Int {
            favoriteIDs.reduce(0) { $0 + Varint.byteCount(UInt64(bitPattern: $1)) }
        }

        /// `token` writes `tokenLength` bytes; it is not called on the last page.
        package func write(to writer: inout MessageWriter, token: (inout MessageWriter) -> Void) {
            if total != 0 {
                writer.write(SearchCharactersResponse.total)
                writer.write(varint: total)
            }
            if tokenLength != 0 {
                writer.write(tag: SearchCharactersResponse.nextPageToken, byteCount: tokenLength)
                token(&writer)
            }
            if !favoriteIDs.isEmpty {
                writer.write(tag: SearchCharactersResponse.favoriteIDs, byteCount: packedByteCount)
                for id in favoriteIDs { writer.write(varint: UInt64(bitPattern: id)) }
            }
        }
    }
}
