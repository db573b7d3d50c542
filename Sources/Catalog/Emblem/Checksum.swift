/// The two checksums of a PNG file.
enum Checksum {
    /// Computes the CRC-32 of PNG (RFC 2083, section 15): polynomial 0xEDB88320, lowest bit first, inverted at both
    /// ends.
    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            self.crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
        }
    }

    /// Computes the Adler-32 (RFC 1950, section 9) at the end of a zlib stream.
    static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        var start = 0
        while start < bytes.count {
            // `high` cannot overflow within 5552 bytes, so that one division for each 5552 bytes is enough.
            let end = min(start + 5552, bytes.count)
            for byte in bytes[start..<end] {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= 65_521
            high %= 65_521
            start = end
        }
        return high << 16 | low
    }

    /// The result of eight steps of the division for each byte.
    private static let crcTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
}

extension UInt32 {
    /// The four bytes in network order, as PNG and zlib write every number.
    var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
