import Framing
import FramingDrivers
import MarvelDomain
import NIOCore
import RPCCore
import Testing

@Suite struct FrameDecoderTests {
    /// Every kind of outcome in a row: an empty frame, a full one at the limit of 8 bytes, one above it, one after that.
    private static let transcript = ByteBuffer(
        hex: """
            00000000 00000001 01 00
            00000008 00000003 01 01 | 00000000 00000000
            00000009 00000005 01 00 | 00ff00ff 00ff00ff 00
            00000003 00000005 03 05 | 616263
            """
    )
    private static let frames: [FrameDecoder.Output] = [
        .frame(Frame(.request, on: 1)),
        .frame(Frame(.request, on: 3, flags: .remoteClosed, data: ByteBuffer(repeating: 0, count: 8))),
        .oversized(FrameHeader(length: 9, streamID: 5, type: .request, flags: []), maximum: 8),
        .frame(Frame(.data, on: 5, flags: [.remoteClosed, .noData], data: ByteBuffer(string: "abc"))),
    ]

    @Test func anySplitOfTheBytesGivesTheSameFrames() throws {
        for first in 0...Self.transcript.readableBytes {
            for second in first...Self.transcript.readableBytes {
                var decoder = FrameDecoder(maximumDataLength: 8)
                let outputs = try decoder.feed(Self.transcript.cut(at: [first, second]))
                #expect(outputs == Self.frames, "cut at \(first) and \(second)")
            }
        }
    }

    @Test func aFrameIsDecodedWithItsLastByteAndNotBefore() throws {
        let bytes = Frame.request(1).encoded
        for count in 0..<bytes.readableBytes {
            var decoder = FrameDecoder()
            var rest = ByteBuffer()
            let pieces = bytes.cut(at: [count])
            #expect(try decoder.feed([pieces[0]], rest: &rest).isEmpty, "\(count) bytes")
            #expect(try decoder.feed([pieces[1]], rest: &rest) == [.frame(.request(1))], "\(count) bytes")
        }
    }

    @Test func theDataIsASliceOfTheInput() throws {
        var bytes = Frame.request(1).encoded
        let arrived = bytes.withUnsafeReadableBytes { $0.baseAddress }
        var decoder = FrameDecoder()
        guard case .frame(let frame) = try decoder.next(from: &bytes) else {
            Issue.record("no frame")
            return
        }
        let data = frame.data.withUnsafeReadableBytes { $0.baseAddress }
        #expect(data == arrived.map { $0 + FrameHeader.byteCount })
    }

    // MARK: Inside a frame

    @Test func betweenFramesIsNotInsideOne() throws {
        var decoder = FrameDecoder(maximumDataLength: 8)
        var rest = ByteBuffer()
        var outputs: [FrameDecoder.Output] = []
        #expect(!decoder.isInsideFrame(rest))
        // Offsets at which a frame of the transcript ends.
        let ends: Set = [10, 28, 47, 60]
        for (index, byte) in Self.transcript.cut(at: Array(1..<Self.transcript.readableBytes)).enumerated() {
            outputs += try decoder.feed([byte], rest: &rest)
            #expect(decoder.isInsideFrame(rest) == !ends.contains(index + 1), "after \(index + 1) bytes")
        }
        #expect(outputs == Self.frames)
    }

    // MARK: Foreign protocols

    static let foreignProtocols: [(String, ByteBuffer, ConnectionError)] = [
        ("HTTP/1.1", ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), .foreignHTTP),
        ("HTTP/2", ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), .foreignHTTP),
        ("TLS hello", ByteBuffer(hex: "16030100c8 010000c40303"), .foreignTLS),
        ("SSH", ByteBuffer(string: "ssh-2.0"), .foreignUnknown),
        ("noise", ByteBuffer(hex: "ff00ff00"), .foreignUnknown),
        ("a length of 16 MiB", ByteBuffer(hex: "01000000 00000001 01 00"), .foreignUnknown),
        ("a length of 2 GiB", ByteBuffer(hex: "80000000 00000001 01 00"), .foreignUnknown),
        ("a length of 4 GiB - 1", ByteBuffer(hex: "ffffffff 00000001 01 00"), .foreignUnknown),
    ]

    @Test(arguments: foreignProtocols)
    func aForeignProtocolIsKnownByItsFirstByte(_ name: String, _ opening: ByteBuffer, _ error: ConnectionError) {
        for count in 1...opening.readableBytes {
            var decoder = FrameDecoder()
            #expect(throws: error, "\(count) bytes of \(name)") {
                try decoder.feed([opening.cut(at: [count])[0]])
            }
        }
    }

    @Test func lostFramingStaysLost() throws {
        var decoder = FrameDecoder()
        var rest = ByteBuffer()
        #expect(try decoder.feed([Frame.request(1).encoded], rest: &rest) == [.frame(.request(1))])
        for _ in 0..<3 {
            #expect(throws: ConnectionError.foreignHTTP) {
                try decoder.feed([ByteBuffer(string: "GET /")], rest: &rest)
            }
        }
    }

    /// Noise is told from frames by its first byte, and what passes by chance is framed or waited for.
    @Test func randomFirstBytesAreHarmless() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<20_000 {
            let opening = ByteBuffer(bytes: random.bytes(Int.random(in: 1...40, using: &random)))
            var decoder = FrameDecoder()
            do throws(ConnectionError) {
                var rest = ByteBuffer()
                _ = try decoder.feed([opening], rest: &rest)
                #expect(opening.getInteger(at: 0, as: UInt8.self) == 0)
                #expect(rest.readableBytes <= opening.readableBytes)
            } catch {
                #expect(error.reason == "NOT_THIS_PROTOCOL")
            }
        }
    }
}
