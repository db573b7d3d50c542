enum EncodingFault: Error {
    case malformed
    /// A text is invalid UTF-8, and a later value replaces it; or it has too many combining marks in a row.
    case invalidText(field: String)
}

/// Reads fields of all wire types. It accepts the same as Google's decoders: complete groups, tags of at most 32 bits,
/// and lengths of at most 31 bits, each in at most five bytes.
struct EncodedFields {
    struct Field {
        let number: UInt32
        let wireType: UInt8
        /// Its tag and its value.
        let whole: Range<Int>
        /// Its value, without a length prefix.
        let content: Range<Int>
    }

    static let varint: UInt8 = 0
    static let fixed64: UInt8 = 1
    static let lengthDelimited: UInt8 = 2
    static let startGroup: UInt8 = 3
    static let endGroup: UInt8 = 4
    static let fixed32: UInt8 = 5

    /// The depth of nested groups, which this schema does not use.
    private static let maximumDepth = 100

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Nil at the end.
    mutating func next() throws(EncodingFault) -> Field? {
        guard position < bytes.count else { return nil }
        let start = position
        let (number, wireType) = try tag()
        let content: Range<Int>
        if wireType == Self.startGroup {
            let first = position
            try skipGroup(number)
            content = first..<position
        } else {
            content = try value(wireType)
        }
        return Field(number: number, wireType: wireType, whole: start..<position, content: content)
    }

    private mutating func tag() throws(EncodingFault) -> (number: UInt32, wireType: UInt8) {
        let tag = try varint(maximumByteCount: 5)
        guard let tag = UInt32(exactly: tag), tag >> 3 > 0 else { throw .malformed }
        return (tag >> 3, UInt8(truncatingIfNeeded: tag & 7))
    }

    private mutating func value(_ wireType: UInt8) throws(EncodingFault) -> Range<Int> {
        let start = position
        switch wireType {
        case Self.varint:
            _ = try varint(maximumByteCount: 10)
            return start..<position
        case Self.fixed64: return try take(8)
        case Self.fixed32: return try take(4)
        case Self.lengthDelimited: return try take(varint(maximumByteCount: 5))
        default: throw .malformed
        }
    }

    private mutating func skipGroup(_ number: UInt32) throws(EncodingFault) {
        var open = [number]
        while let innermost = open.last {
            let (number, wireType) = try tag()
            switch wireType {
            case Self.startGroup:
                guard open.count < Self.maximumDepth else { throw .malformed }
                open.append(number)
            case Self.endGroup:
                guard number == innermost else { throw .malformed }
                open.removeLast()
            default: _ = try value(wireType)
            }
        }
    }

    private mutating func varint(maximumByteCount: Int) throws(EncodingFault) -> UInt64 {
        let value = Varint.read(maximumByteCount: maximumByteCount) {
            guard position < bytes.count else { return nil }
            defer { position += 1 }
            return bytes[position]
        }
        guard let value else { throw .malformed }
        return value
    }

    private mutating func take(_ count: UInt64) throws(EncodingFault) -> Range<Int> {
        guard count <= UInt64(min(bytes.count - position, Int(Int32.max))) else { throw .malformed }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }
}
