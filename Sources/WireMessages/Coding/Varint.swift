internal import RPCCore

/// Seven bits per byte, lowest first; the top bit means that more bytes follow.
enum Varint {
    static func byteCount(_ value: UInt64) -> Int {
        (max(1, UInt64.bitWidth - value.leadingZeroBitCount) + 6) / 7
    }

    /// Nil at an incomplete or too long number. Bits above the 64th are dropped, as in Google's decoders.
    @inline(__always)
    static func read(maximumByteCount: Int = 10, _ next: () -> UInt8?) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<maximumByteCount {
            guard let byte = next() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return value }
        }
        return nil
    }

    @inline(__always)
    static func write(_ value: UInt64, _ write: (UInt8) -> Void) {
        var rest = value
        while rest >= 0x80 {
            write(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        write(UInt8(truncatingIfNeeded: rest))
    }
}

extension MessageWriter {
    mutating func write(varint value: UInt64) { Varint.write(value) { write($0) } }

    mutating func write(tag: UInt8, byteCount: Int) {
        write(tag)
        write(varint: UInt64(byteCount))
    }
}
