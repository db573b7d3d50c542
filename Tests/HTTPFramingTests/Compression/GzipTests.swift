import HTTPFraming
import Testing

struct GzipTests {
    @Test(arguments: ["gzip", "deflate, gzip", "GZIP;q=0.5", "x-gzip", "br;q=1.0, gzip; q=0.8, *;q=0.1"])
    func gzipIsUsedWhenAskedFor(header: String) {
        #expect(Gzip.isAccepted(by: header))
    }

    @Test(arguments: [nil, "", "identity", "deflate", "*", "gzip;q=0", "gzip; q=0.0", "gzipped"])
    func gzipIsNotUsedOtherwise(header: String?) {
        #expect(!Gzip.isAccepted(by: header))
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) } }

    @Test(arguments: [0, 1, 100, 16_384, 1_000_000])
    func compressedBytesDecompress(count: Int) throws {
        let bytes = Self.bytes(count)
        let compressed = try #require(Gzip.compress(bytes))
        #expect(compressed.prefix(2) == [0x1F, 0x8B])
        #expect(try Gzip.decompress(compressed, maximum: count) == bytes)
        #expect(try Gzip.decompress(compressed, maximum: .max - 1) == bytes)
    }

    @Test(arguments: [1, 100, 16_384, 1_000_000])
    func moreThanTheMaximumIsRefused(count: Int) throws {
        let compressed = try #require(Gzip.compress(Self.bytes(count)))
        #expect(throws: Gzip.Failure.tooLarge) { try Gzip.decompress(compressed, maximum: count - 1) }
        #expect(throws: Gzip.Failure.tooLarge) { try Gzip.decompress(compressed, maximum: 0) }
    }

    @Test func truncatedDataIsMalformed() throws {
        let compressed = try #require(Gzip.compress(Self.bytes(300)))
        for count in 0..<compressed.count {
            #expect(throws: Gzip.Failure.malformed) {
                try Gzip.decompress(Array(compressed.prefix(count)), maximum: 1_000)
            }
        }
        #expect(throws: Gzip.Failure.malformed) { try Gzip.decompress(compressed + [0], maximum: 1_000) }
        #expect(throws: Gzip.Failure.malformed) { try Gzip.decompress([1, 2, 3], maximum: 1_000) }
        var changed = compressed
        changed[compressed.count - 6] ^= 1
        #expect(throws: Gzip.Failure.malformed) { try Gzip.decompress(changed, maximum: 1_000) }
    }

    /// Programs that append to compressed files write them so (RFC 1952, section 2.2).
    @Test func concatenatedMembersAreOneText() throws {
        let first = try #require(Gzip.compress([1, 2, 3]))
        let second = try #require(Gzip.compress([]))
        let third = try #require(Gzip.compress([4]))
        #expect(try Gzip.decompress(first + second + third, maximum: 4) == [1, 2, 3, 4])
        #expect(throws: Gzip.Failure.tooLarge) { try Gzip.decompress(first + second + third, maximum: 3) }
        #expect(throws: Gzip.Failure.malformed) { try Gzip.decompress(first + second.dropLast(), maximum: 10) }
        #expect(throws: Gzip.Failure.malformed) { try Gzip.decompress(first + [0x1F], maximum: 10) }
    }
}
