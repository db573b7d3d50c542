import CZlib
import Testing

@testable import GatewayHTTP

@Suite struct GzipTests {
    @Test(arguments: ["gzip", "deflate, gzip", "GZIP;q=0.5", "x-gzip", "br;q=1.0, gzip; q=0.8, *;q=0.1"])
    func gzipIsUsedWhenAskedFor(header: String) {
        #expect(Gzip.isAsked(by: header))
    }

    @Test(arguments: [nil, "", "identity", "deflate", "*", "gzip;q=0", "gzip; q=0.0", "gzipped"])
    func gzipIsNotUsedOtherwise(header: String?) {
        #expect(!Gzip.isAsked(by: header))
    }

    @Test(arguments: [0, 1, 100, 1_000_000])
    func whatIsCompressedComesBack(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let compressed = try #require(Gzip.compress(bytes))
        #expect(compressed.prefix(2) == [0x1F, 0x8B])
        #expect(GzipTests.decompress(compressed, count: count) == bytes)
    }

    static func decompress(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: count + 1)
        let result = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        return result == Z_STREAM_END ? Array(output.prefix(Int(stream.total_out))) : nil
    }
}
