import HTTPCalls
import NIOCore
import Testing

struct FrameScannerTests {
    private static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

    private func frame(_ type: UInt8, flags: UInt8 = 0, byteCount: Int = 0) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt32(byteCount) << 8 | UInt32(type))
        bytes.writeInteger(flags)
        bytes.writeInteger(7 as UInt32)
        bytes.writeRepeatingByte(0xFF, count: byteCount)
        return bytes
    }

    private func afterPreface() -> FrameScanner {
        var scanner = FrameScanner()
        _ = scanner.scan(Self.preface)
        return scanner
    }

    @Test func nothingIsAwaitedBeforeTheFirstByte() {
        var scanner = FrameScanner()
        #expect(!scanner.isInsideFrame)
        var preface = Self.preface
        _ = preface.readSlice(length: 1).map { scanner.scan($0) }
        #expect(scanner.isInsideFrame)
        let found = scanner.scan(preface)
        #expect(found.hasEnd)
        #expect(!scanner.isInsideFrame)
    }

    @Test(arguments: [
        (0, 0, [0, 0, 0]), (1, 4, [1, 0, 0]), (2, 0, [0, 1, 0]), (3, 0, [0, 1, 0]), (4, 0, [0, 1, 0]),
        (4, 1, [0, 1, 0]),
        (6, 0, [0, 0, 0]), (6, 1, [0, 1, 0]), (7, 0, [0, 1, 0]), (8, 0, [0, 1, 0]), (9, 4, [0, 0, 0]),
        (10, 0, [0, 0, 1]), (0xFF, 0xFF, [0, 0, 1]),
    ])
    func eachFrameIsCountedByItsKind(_ type: UInt8, _ flags: UInt8, _ counts: [Int]) {
        for byteCount in [0, 1, 300] {
            var scanner = afterPreface()
            let found = scanner.scan(frame(type, flags: flags, byteCount: byteCount))
            #expect([found.headers, found.controlFrames, found.unknown] == counts)
            #expect(found.hasEnd)
            #expect(!scanner.isInsideFrame)
        }
    }

    @Test func headersGoOnUntilTheirLastFrame() {
        var scanner = afterPreface()
        #expect(!scanner.scan(frame(1, byteCount: 5)).hasEnd)
        #expect(scanner.isInsideFrame)
        #expect(!scanner.scan(frame(9, byteCount: 5)).hasEnd)
        #expect(scanner.isInsideFrame)
        #expect(scanner.scan(frame(9, flags: 4, byteCount: 5)).hasEnd)
        #expect(!scanner.isInsideFrame)
    }

    /// Wherever the bytes are cut, the same frames are found, and one is open exactly between its bytes.
    @Test func framesMayArriveInAnyParts() {
        var bytes = Self.preface
        var borders: Set = [bytes.readableBytes]
        for (type, flags, byteCount) in [(4, 0, 12), (1, 4, 40), (0, 1, 0), (8, 0, 4), (77, 0, 3), (6, 1, 8)] {
            bytes.writeImmutableBuffer(frame(UInt8(type), flags: UInt8(flags), byteCount: byteCount))
            borders.insert(bytes.readableBytes)
        }
        for size in [1, 2, 7, 30, bytes.readableBytes] {
            var scanner = FrameScanner()
            var rest = bytes
            var (position, headers, controlFrames, unknown) = (0, 0, 0, 0)
            while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
                let found = scanner.scan(part)
                position += part.readableBytes
                headers += found.headers
                controlFrames += found.controlFrames
                unknown += found.unknown
                #expect(scanner.isInsideFrame == !borders.contains(position), "at \(position)")
            }
            #expect([headers, controlFrames, unknown] == [1, 3, 1])
        }
    }
}
