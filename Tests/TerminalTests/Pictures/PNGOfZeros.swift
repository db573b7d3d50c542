/// A black PNG picture with 8 bits a pixel, whose data may be longer than its header says.
struct PNGOfZeros {
    let width: UInt32
    let height: UInt32
    var isInterlaced = false

    /// Returns the file.
    ///
    /// - Parameters:
    ///   - byteCount: The number of zeros that its data inflates to.
    ///   - chunk: A further chunk after the header.
    /// - Returns: The file.
    func file(_ byteCount: Int, after chunk: [UInt8] = []) -> [UInt8] {
        let header = Self.bytes(width) + Self.bytes(height) + [8, 0, 0, 0, isInterlaced ? 1 : 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header) + chunk
            + Self.chunk("IDAT", Self.deflated(byteCount)) + Self.chunk("IEND", [])
    }

    static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(kind.utf8) + data
        return bytes(UInt32(data.count)) + content + bytes(checksum(content))
    }

    /// Returns zeros in the format of zlib (RFC 1950), in one block with fixed codes (RFC 1951, section 3.2.6).
    static func deflated(_ byteCount: Int) -> [UInt8] {
        var bits = Bits()
        // The last block; fixed codes.
        bits.append([1, 1, 0])
        // After a first zero, each repetition of 258 of them has the code 285 for the length, and 0 for the distance.
        let repetitions = max(0, (byteCount - 1) / 258)
        for _ in 0..<byteCount - 258 * repetitions { bits.append([0, 0, 1, 1, 0, 0, 0, 0]) }
        for _ in 0..<repetitions { bits.append([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
        bits.append([0, 0, 0, 0, 0, 0, 0])
        return [0x78, 0x9C] + bits.bytes + bytes(UInt32(byteCount % 65_521) << 16 | 1)
    }

    private struct Bits {
        var bytes: [UInt8] = []
        private var count = 0

        mutating func append(_ bits: [UInt8]) {
            for bit in bits {
                if count % 8 == 0 { bytes.append(0) }
                bytes[count / 8] |= bit << (count % 8)
                count += 1
            }
        }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// The checksum of a chunk (ISO 3309).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
    }
}
