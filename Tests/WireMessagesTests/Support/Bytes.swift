import NIOCore

extension ByteBuffer {
    /// Bytes from hexadecimal digits; white space is passed over.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        self.init(bytes: bytes)
    }

    var hex: String {
        readableBytesView.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    var bytes: [UInt8] { [UInt8](readableBytesView) }
}

/// Fields written by hand, for messages that no encoder of ours would write.
enum RawField {
    static func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    static func tag(_ number: UInt32, wireType: UInt64) -> [UInt8] { varint(UInt64(number) << 3 | wireType) }

    static func number(_ number: UInt32, _ value: UInt64) -> [UInt8] { tag(number, wireType: 0) + varint(value) }

    static func bytes(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
        tag(number, wireType: 2) + varint(UInt64(content.count)) + content
    }

    /// `content` in the field at the end of a path of message fields.
    static func nested(_ path: some BidirectionalCollection<UInt32>, _ content: [UInt8]) -> [UInt8] {
        path.reversed().reduce(content) { inner, number in bytes(number, inner) }
    }
}
