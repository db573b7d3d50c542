/// Reads the fields of a message in place, in the order of their numbers, each at most once. At any other form it stops
/// before the end, and libprotobuf-c decodes the bytes.
struct FieldScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Nil unless the field is next and complete.
    mutating func bytes(_ number: UInt8) -> Range<Int>? {
        let start = position
        guard take(tag: number << 3 | 2), let length = length(), length <= bytes.count - position else {
            position = start
            return nil
        }
        let range = position..<position + length
        position = range.upperBound
        return range
    }

    /// Nil unless the field is next and complete.
    mutating func varint(_ number: UInt8) -> UInt64? {
        let start = position
        guard take(tag: number << 3 | 0), let value = varint() else {
            position = start
            return nil
        }
        return value
    }

    /// Empty if the field is not next, or is not ASCII: only libprotobuf-c's path validates text.
    mutating func text(_ number: UInt8) -> String {
        let start = position
        // Most fields of a request are absent.
        guard byte() == number << 3 | 2, let range = bytes(number) else { return "" }
        let text = UnsafeRawBufferPointer(rebasing: bytes[range]).bindMemory(to: UInt8.self)
        guard text.allSatisfy({ (0x01...0x7F).contains($0) }) else {
            position = start
            return ""
        }
        return String(copying: UTF8Span(unchecked: text.span, isKnownASCII: true))
    }

    /// 0 if the field is not next, or has a negative or too large value.
    mutating func int32(_ number: UInt8) -> Int32 {
        let start = position
        guard byte() == number << 3, let value = varint(number) else { return 0 }
        guard let value = Int32(exactly: value) else {
            position = start
            return 0
        }
        return value
    }

    /// 0 if the field is not next.
    mutating func int64(_ number: UInt8) -> Int64 {
        Int64(bitPattern: varint(number) ?? 0)
    }

    @inline(__always)
    private mutating func take(tag: UInt8) -> Bool {
        guard byte() == tag else { return false }
        position += 1
        return true
    }

    /// Nil if the field is not next, or its paths are not in the usual form.
    mutating func fieldMask(_ number: UInt8) -> FieldMask? {
        let start = position
        guard let range = bytes(number) else { return nil }
        var fields = FieldScanner(UnsafeRawBufferPointer(rebasing: bytes[range]))
        var paths: [String] = []
        while !fields.isAtEnd {
            let path = fields.text(1)
            guard !path.isEmpty else {
                position = start
                return nil
            }
            paths.append(path)
        }
        return FieldMask(paths)
    }

    /// Lengths of more than four bytes are left to libprotobuf-c.
    @inline(__always)
    private mutating func length() -> Int? {
        if let byte = byte(), byte < 0x80 {
            position += 1
            return Int(byte)
        }
        let start = position
        guard let length = varint(), position - start <= 4 else { return nil }
        return Int(length)
    }

    private mutating func varint() -> UInt64? {
        let start = position
        let value = Varint.read {
            guard let byte = byte() else { return nil }
            position += 1
            return byte
        }
        // The tenth byte has room for one bit. libprotobuf-c handles larger values.
        guard position - start < 10 || bytes[position - 1] <= 1 else { return nil }
        return value
    }

    @inline(__always)
    private func byte() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }
}
