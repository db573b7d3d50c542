internal import NIOCore

/// protobuf's integers of variable length: seven bits a byte, lowest first, the top bit saying that more follow.
enum Varint {
    static func byteCount(_ value: UInt64) -> Int {
        (max(1, UInt64.bitWidth - value.leadingZeroBitCount) + 6) / 7
    }

    static func write(_ value: UInt64, into buffer: inout ByteBuffer) {
        var rest = value
        while rest >= 0x80 {
            buffer.writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.writeInteger(UInt8(truncatingIfNeeded: rest))
    }
}
