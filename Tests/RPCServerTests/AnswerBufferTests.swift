import Framing
import NIOCore
import Testing

@testable import RPCServer

@Suite struct AnswerBufferTests {
    private func write(_ byteCount: Int, to buffer: inout AnswerBuffer) -> ByteBuffer {
        buffer.writeToConnection(.ping, ByteBuffer(repeating: 0, count: byteCount))
        return buffer.bytes
    }

    @Test func itHasNoMemoryBetweenWrites() {
        var buffer = AnswerBuffer()
        #expect(write(100_000, to: &buffer).readableBytes > 100_000)
        buffer.clear()
        #expect((buffer.byteCount, buffer.bytes.storageCapacity) == (0, 0))
    }

    /// Each of its writes would otherwise keep as much as the largest answer.
    @Test func aPeerThatDoesNotReadHoldsLittleMoreThanItsBytes() {
        var buffer = AnswerBuffer()
        _ = write(1_000_000, to: &buffer)
        var unsent: [ByteBuffer] = []
        for _ in 1...10 {
            buffer.clear()
            unsent.append(write(10, to: &buffer))
        }
        #expect(unsent[0].storageCapacity <= 64 * 1024)
        #expect(unsent[1...].allSatisfy { $0.storageCapacity < 1_024 })
    }
}
