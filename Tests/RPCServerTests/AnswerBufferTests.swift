import Framing
import NIOCore
import Testing

@testable import RPCServer

/// The memory for answers that the connections of an event loop share.
@Suite struct AnswerBufferTests {
    private let spare = SpareBuffer()

    private func write(_ byteCount: Int, to buffer: inout AnswerBuffer) -> ByteBuffer {
        buffer.writeToConnection(.ping, ByteBuffer(repeating: 0, count: byteCount))
        return buffer.bytes
    }

    @Test func connectionsUseTheSameMemoryOneAfterTheOther() {
        var (first, second) = (AnswerBuffer(spare), AnswerBuffer(spare))
        let capacity = write(100_000, to: &first).storageCapacity
        first.clear()
        #expect((first.byteCount, first.bytes.storageCapacity) == (0, 0))
        #expect(write(10, to: &second).storageCapacity == capacity)
        #expect(write(10, to: &first).storageCapacity < 1_024, "the second one has it")
    }

    /// Each of its writes would otherwise keep as much as the largest answer of the others.
    @Test func aPeerThatDoesNotReadHoldsTheSharedMemoryOnce() {
        var (other, stalled) = (AnswerBuffer(spare), AnswerBuffer(spare))
        var unsent: [ByteBuffer] = []
        for _ in 1...10 {
            _ = write(100_000, to: &other)
            other.clear()
            unsent.append(write(10, to: &stalled))
            stalled.clear()
        }
        #expect(unsent[0].storageCapacity >= 100_000)
        #expect(unsent[1...].allSatisfy { $0.storageCapacity < 1_024 })
        // It reads again.
        unsent = []
        _ = write(10, to: &stalled)
        stalled.clear()
        #expect(write(10, to: &stalled).storageCapacity >= 100_000)
    }

    @Test func theMemoryOfAHugeAnswerIsReleased() {
        var buffer = AnswerBuffer(spare)
        _ = write(1_000_000, to: &buffer)
        buffer.clear()
        #expect(write(10, to: &buffer).storageCapacity < 1_024)
    }
}
