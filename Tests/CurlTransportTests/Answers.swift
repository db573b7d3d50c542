/// Answers and compressed bodies, written by hand: the tests need no compressor.
enum Answer {
    static func ok(_ body: [UInt8], headers: String = "") -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + body
    }

    static func ok(_ body: String, headers: String = "") -> [UInt8] { ok(Array(body.utf8), headers: headers) }

    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
    }
}

enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// One stored block (RFC 1951 section 3.2.4) of at most 65,535 bytes.
    static func stored(_ body: [UInt8]) -> [UInt8] {
        let length = UInt16(body.count)
        let block = [1] + littleEndian(length) + littleEndian(~length) + body
        let trailer = littleEndian(checksum(body)) + littleEndian(UInt32(body.count))
        return header + block + trailer
    }

    /// About `megabytes` of zeros, 150 times smaller: one fixed block (section 3.2.6) of copies of 258 bytes from one
    /// byte back. It has no end.
    static func bomb(megabytes: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b1, count: 1)
        bits.write(0b01, count: 2)
        // The literal 0, code 00110000, written from its most significant bit.
        bits.write(0b0000_1100, count: 8)
        for _ in 0..<(megabytes * 1_000_000 / 258) {
            // Length 258 is symbol 285, code 11000101; distance 1 is code 00000.
            bits.write(0b1010_0011, count: 8)
            bits.write(0, count: 5)
        }
        return header + bits.bytes
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func checksum(_ body: [UInt8]) -> UInt32 {
        var checksum = ~UInt32(0)
        for byte in body {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? (checksum >> 1) ^ 0xEDB8_8320 : checksum >> 1 }
        }
        return ~checksum
    }
}

enum Brotli {
    /// One uncompressed meta-block (RFC 7932 section 9.2) of at most 65,536 bytes, and an empty last one.
    static func stored(_ body: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        // Window of 16 bits; not last; length in 4 nibbles; uncompressed.
        bits.write(0, count: 1)
        bits.write(0, count: 1)
        bits.write(0, count: 2)
        bits.write(body.count - 1, count: 16)
        bits.write(1, count: 1)
        return bits.bytes + body + [0x03]
    }
}

/// Bits from the least significant one up, as both formats have them.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var bitCount = 0

    mutating func write(_ value: Int, count: Int) {
        for bit in 0..<count {
            if bitCount % 8 == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8((value >> bit) & 1) << UInt8(bitCount % 8)
            bitCount += 1
        }
    }
}
