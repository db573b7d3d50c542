internal import RPCCore

/// The variable-length integers of Protobuf: seven bits a byte, lowest first; the top bit means that more bytes follow.
enum Varint {
    static func byteCount(_ value: UInt64) -> Int {
        (max(1, UInt64.bitWidth - value.leadingZeroBitCount) + 6) / 7
    }
}

extension MessageWriter {
    mutating func write(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            write(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        write(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes the start of a field of bytes, text, a message or packed numbers: its tag and its length.
    mutating func write(tag: UInt8, byteCount: Int) {
        write(tag)
        write(varint: UInt64(byteCount))
    }
}
