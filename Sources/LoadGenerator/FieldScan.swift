internal import NIOCore

/// A scanner that reads single fields of an encoded message and skips the rest. Decoding thousands of unused characters
/// would measure the tester instead of the server.
struct FieldScan {
    private let bytes: ByteBufferView
    private var position: Int

    init(_ message: ByteBuffer) {
        bytes = message.readableBytesView
        position = bytes.startIndex
    }

    /// A field with a length: a text or a message.
    struct Field {
        var number: UInt64
        var range: Range<Int>
    }

    /// Returns the next field with a length; numbers are skipped. Nil at the end, or if the bytes are not a message.
    mutating func next() -> Field? {
        while let tag = varint() {
            switch tag & 7 {
            case 0: guard varint() != nil else { return nil }
            case 1: position += 8
            case 5: position += 4
            case 2:
                guard let length = varint(), length <= UInt64(max(0, bytes.endIndex - position)) else { return nil }
                let range = position..<position + Int(length)
                position = range.upperBound
                return Field(number: tag >> 3, range: range)
            default: return nil
            }
        }
        return nil
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.endIndex else { return nil }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}

extension ByteBuffer {
    /// The `next_page_token` in these bytes of a `SearchCharactersResponse`, which is field 3; empty after the last
    /// page.
    var nextPageToken: String { bytesField(3).map { String(buffer: $0) } ?? "" }

    private func bytesField(_ number: UInt64) -> ByteBuffer? {
        var scan = FieldScan(self)
        var found: ByteBuffer?
        // In protobuf, the last occurrence of a field counts.
        while let field = scan.next() {
            if field.number == number { found = getSlice(at: field.range.lowerBound, length: field.range.count) }
        }
        return found
    }
}
