import Framing
import FramingDrivers
import MarvelDomain
import NIOCore
import RPCCore
import Testing

/// Lengths are judged by the header alone, and no length makes the decoder keep what it will not use.
@Suite struct FrameLimitTests {
    private static let mebibyte = 1 << 20

    private static func header(_ length: UInt32) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeFrameHeader(FrameHeader(length: length, streamID: 1, type: .request, flags: []))
        return bytes
    }

    @Test(arguments: [4 << 20 - 1, 4 << 20] as [UInt32])
    func dataUpToFourMebibytesIsWaitedFor(_ length: UInt32) throws {
        var decoder = FrameDecoder()
        var rest = ByteBuffer()
        #expect(try decoder.feed([Self.header(length)], rest: &rest).isEmpty)
        #expect(decoder.isInsideFrame(rest))
        let data = ByteBuffer(repeating: 7, count: Int(length))
        let frame = Frame(.request, on: 1, data: data)
        let next = Frame.request(3)
        #expect(try decoder.feed([data, next.encoded], rest: &rest) == [.frame(frame), .frame(next)])
    }

    @Test(arguments: [4 << 20 + 1, 16 << 20 - 1] as [UInt32])
    func longerDataIsReportedByItsHeaderAndDiscardedAsItArrives(_ length: UInt32) throws {
        var decoder = FrameDecoder()
        var rest = ByteBuffer()
        let header = FrameHeader(length: length, streamID: 1, type: .request, flags: [])
        #expect(try decoder.feed([Self.header(length)], rest: &rest) == [.oversized(header, maximum: 4 << 20)])
        // Zeros would be frames, if one byte too few were thrown away, and letters strangers.
        var left = Int(length)
        while left > 0 {
            #expect(decoder.isInsideFrame(rest))
            let count = min(left, 60_000)
            #expect(try decoder.feed([ByteBuffer(repeating: UInt8(ascii: "x"), count: count)], rest: &rest).isEmpty)
            #expect(rest.readableBytes == 0, "none of it is buffered")
            left -= count
        }
        #expect(!decoder.isInsideFrame(rest))
        #expect(rest.storageCapacity < Self.mebibyte)
        #expect(try decoder.feed([Frame.request(3).encoded], rest: &rest) == [.frame(.request(3))])
    }

    @Test func oversizedFramesInARowAreEachReported() throws {
        var decoder = FrameDecoder(maximumDataLength: 1)
        let large = Frame(.data, on: 3, data: ByteBuffer(string: "xy"))
        let outputs = try decoder.feed([large.encoded, large.encoded, Frame.end(3).encoded])
        let header = FrameHeader(length: 2, streamID: 3, type: .data, flags: [])
        let oversized = FrameDecoder.Output.oversized(header, maximum: 1)
        #expect(outputs == [oversized, oversized, .frame(.end(3))])
    }

    @Test(arguments: [1 << 24, Int.max])
    func aHigherLimitIsCappedBelow16Mebibytes(_ wanted: Int) {
        #expect(FrameDecoder(maximumDataLength: wanted).maximumDataLength == 16 * Self.mebibyte - 1)
    }

    /// However a peer begins frames: what is kept is less than one whole frame.
    @Test func theBufferIsSmallerThanAFrame() throws {
        var random = SplitMix64(seed: 3)
        var decoder = FrameDecoder(maximumDataLength: 1_000)
        var rest = ByteBuffer()
        for _ in 0..<5_000 {
            let data = ByteBuffer(repeating: 0, count: Int.random(in: 0...3_000, using: &random))
            let bytes = Frame(.data, on: 1, data: data).encoded
            let middle = Int.random(in: 0...bytes.readableBytes, using: &random)
            for piece in bytes.cut(at: [middle]) {
                _ = try decoder.feed([piece], rest: &rest)
                #expect(rest.readableBytes < FrameHeader.byteCount + 1_000)
            }
        }
        #expect(rest.storageCapacity <= 8_192)
    }

    // MARK: Long frames

    /// A frame above 2,000 bytes, of which its first KiB tells how long it may be.
    private static func long(_ length: Int, allows: UInt8) -> Frame {
        Frame(.request, on: 1, data: ByteBuffer(repeating: allows, count: length))
    }

    /// The decoder gets pieces of 100 bytes. It judges the frame once, with a KiB of data, and keeps it if allowed.
    @Test(arguments: [true, false])
    func theFirstBytesOfALongFrameDecideOnItsLimit(_ isAllowed: Bool) throws {
        let frame = Self.long(5_000, allows: isAllowed ? 1 : 0)
        let bytes = frame.encoded
        var decoder = FrameDecoder(maximumUnnamedLength: 2_000)
        var rest = ByteBuffer()
        var outputs: [FrameDecoder.Output] = []
        var judged = 0
        for piece in bytes.cut(at: Array(stride(from: 100, to: bytes.readableBytes, by: 100))) {
            rest.discardReadBytes()
            rest.writeImmutableBuffer(piece)
            let output = try decoder.next(from: &rest) { header, beginning in
                judged += 1
                #expect(header == frame.header)
                #expect(beginning == ByteBuffer(repeating: isAllowed ? 1 : 0, count: 1_024))
                return isAllowed ? 5_000 : 3_000
            }
            if let output { outputs.append(output) }
            #expect(isAllowed || rest.readableBytes < 1_024 + 100 + FrameHeader.byteCount)
        }
        #expect(judged == 1)
        #expect(outputs == [isAllowed ? .frame(frame) : .oversized(frame.header, maximum: 3_000)])
        #expect(!decoder.isInsideFrame(rest))
    }

    @Test func eachLongFrameHasItsOwnLimit() throws {
        var decoder = FrameDecoder(maximumUnnamedLength: 2_000)
        var rest = ByteBuffer()
        let frames = [Self.long(3_000, allows: 1), Self.long(2_000, allows: 0), Self.long(3_000, allows: 0)]
        for frame in frames { rest.writeImmutableBuffer(frame.encoded) }
        var outputs: [FrameDecoder.Output] = []
        while let output = try decoder.next(
            from: &rest,
            lengthLimit: { _, beginning in beginning.readableBytesView.first == 1 ? 4_000 : 0 }
        ) {
            outputs.append(output)
        }
        #expect(outputs == [.frame(frames[0]), .frame(frames[1]), .oversized(frames[2].header, maximum: 2_000)])
    }
}
