internal import CMarvelMessages
internal import MarvelDomain
package import NIOCore
internal import RPCCore

package struct CharacterFields: Sendable, Hashable {
    /// All numbers are below 64.
    private var numbers: UInt64 = 1 << 1

    package struct UnknownPath: Error, Sendable, Hashable {
        package let index: Int

        package init(index: Int) { self.index = index }
    }

    package static let names = UnsafeBufferPointer(
        start: MarvelCharacter.descriptor?.pointee.fields,
        count: Int(MarvelCharacter.descriptor?.pointee.n_fields ?? 0)
    ).map { String(cString: $0.name) }

    /// `id` is always among the fields. Nil if the mask selects all fields.
    package init?(_ mask: FieldMask) throws(UnknownPath) {
        var selectsAll = mask.paths.isEmpty
        for (index, path) in mask.paths.enumerated() {
            if path == "*" {
                selectsAll = true
            } else if let field = protobuf_c_message_descriptor_get_field_by_name(MarvelCharacter.descriptor, path) {
                numbers |= 1 << UInt64(field.pointee.id)
            } else {
                throw UnknownPath(index: index)
            }
        }
        if selectsAll { return nil }
    }

    /// `page` has elements of the field `characters` of `SearchCharactersResponse`. `offsets` includes the end.
    package func selected(from page: ByteBuffer) -> (encoded: ByteBuffer, offsets: [UInt32]) {
        var selection = ByteBuffer()
        selection.reserveCapacity(page.readableBytes)
        var offsets: [UInt32] = [0]
        page.withUnsafeReadableBytes { bytes in
            var elements = EncodedFields(bytes)
            var kept: [Range<Int>] = []
            while let element = try? elements.next() {
                let start = element.content.lowerBound
                var fields = EncodedFields(UnsafeRawBufferPointer(rebasing: bytes[element.content]))
                kept.removeAll(keepingCapacity: true)
                while let field = try? fields.next() {
                    guard field.number < 64, numbers & 1 << UInt64(field.number) != 0 else { continue }
                    kept.append(start + field.whole.lowerBound..<start + field.whole.upperBound)
                }
                let length = kept.reduce(0) { $0 + $1.count }
                selection.write(byteCount: 1 + Varint.byteCount(UInt64(length)) + length) { writer in
                    writer.write(tag: bytes[element.whole.lowerBound], byteCount: length)
                    for range in kept { writer.write(UnsafeRawBufferPointer(rebasing: bytes[range])) }
                }
                offsets.append(UInt32(selection.readableBytes))
            }
        }
        return (selection, offsets)
    }
}
