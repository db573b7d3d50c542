import NIOCore
import NIOHPACK
import Testing

@testable import HTTPFraming

struct HeaderBlockWriterTests {
    private static let lists: [HPACKHeaders] = {
        var lists: [HPACKHeaders] = [
            [":status": "200", "content-type": "application/grpc", "grpc-accept-encoding": "identity,gzip"],
            ["grpc-status": "0"], [":status": "404", "content-length": "17", "x-empty": ""], [":status": "418"],
        ]
        var literal = HPACKHeaders()
        literal.add(name: "grpc-status", value: "5", indexing: .nonIndexable)
        literal.add(name: "grpc-message", value: String(repeating: "m", count: 300), indexing: .neverIndexed)
        lists.append(literal)
        for index in 0..<50 { lists.append(["x-\(index)": String(repeating: "v", count: 40 * index)]) }
        return lists + lists
    }()

    /// Changes of the table's size between blocks, in any order, and with a decoder that obeys them.
    @Test(arguments: [[:], [0: [0]], [0: [100]], [3: [4_095]], [3: [0, 8_000]], [0: [65_536]], [5: [8_000], 9: [64]]])
    func aDecoderReadsEncodedFrames(_ sizes: [Int: [UInt32]]) throws {
        var writer = HeaderBlockWriter()
        var decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(),
            maxDynamicTableSize: 4_096,
            maxHeaderListSize: 1 << 20
        )
        for (index, headers) in Self.lists.enumerated() {
            for size in sizes[index] ?? [] { writer.tableSizeChanged(to: size) }
            var block = ByteBuffer()
            writer.write(headers, to: &block)
            let read = try decoder.decodeHeaders(from: &block)
            #expect(read.map { [$0.name, $0.value] } == headers.map { [$0.name, $0.value] })
        }
    }

    @Test func repeatedHeadersTakeOneByteEach() {
        var writer = HeaderBlockWriter()
        var (first, again, trailers) = (ByteBuffer(), ByteBuffer(), ByteBuffer())
        writer.write(Self.lists[0], to: &first)
        writer.write(Self.lists[1], to: &trailers)
        writer.write(Self.lists[0], to: &again)
        #expect(first.readableBytes > 40)
        #expect(Array(again.readableBytesView) == [0x88, 0x80 | 64, 0x80 | 63])
        trailers.clear()
        writer.write(Self.lists[1], to: &trailers)
        #expect(Array(trailers.readableBytesView) == [0x80 | 62])
    }

    /// A peer that keeps no table is told that it is empty, once (RFC 9113, section 4.3.1).
    @Test func withoutATableNothingIsAdded() {
        var writer = HeaderBlockWriter()
        writer.tableSizeChanged(to: 0)
        var (first, again) = (ByteBuffer(), ByteBuffer())
        writer.write(["grpc-status": "0"], to: &first)
        writer.write(["grpc-status": "0"], to: &again)
        #expect(first.readInteger(as: UInt8.self) == 0x20)
        #expect(first == again)
        #expect(again.readInteger(as: UInt8.self) == 0)
    }
}
