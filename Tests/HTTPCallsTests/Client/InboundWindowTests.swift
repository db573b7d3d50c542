import NIOCore
import RPCCore
import Testing

@testable import HTTPCalls

/// The window of a stream, which is the credit of its reader: it bounds what waits, and never stops what is read.
struct InboundWindowTests {
    /// A server that sends messages as the window lets it, and a reader that takes them when it likes.
    private struct Play {
        var machine: GRPCClientStateMachine
        var window: Int
        /// The bytes that are still to be sent.
        var bytes = ByteBuffer()
        var waiting: [Int] = []
        var largestWait = 0
        var takenCount = 0
        let id: StreamID = 1

        init(window: Int, kind: RPCCore.Method.Kind = .serverStreaming, _ sizes: [Int]) {
            self.window = window
            machine = GRPCClientStateMachine(
                GRPCClientLimits(streamWindow: window, maximumMessageByteCount: 1 << 20)
            )
            _ = machine.openCall(kind)
            for size in sizes {
                bytes.writeMultipleIntegers(0 as UInt8, UInt32(size))
                bytes.writeRepeatingByte(7, count: size)
            }
            widen()
        }

        mutating func widen() {
            window += machine.widening(of: id)
            #expect(window <= GRPCClientLimits.maximumWindow)
        }

        /// Sends at most `count` bytes. Returns whether there was room for any.
        mutating func send(_ count: Int) -> Bool {
            guard let frame = bytes.readSlice(length: min(count, window, bytes.readableBytes)), frame.readableBytes > 0
            else {
                return false
            }
            window -= frame.readableBytes
            machine.dataReceived(frame, paddingByteCount: 0, on: id)
            while case .deliver(let message) = machine.nextMessage(on: id) { waiting.append(message.readableBytes) }
            widen()
            largestWait = max(largestWait, waiting.reduce(0, +))
            return true
        }

        mutating func take(_ count: Int) {
            let taken = waiting.prefix(count)
            waiting.removeFirst(taken.count)
            takenCount += taken.count
            machine.messagesTaken(UInt32(taken.count), byteCount: taken.reduce(0, +), on: id)
            widen()
        }
    }

    private static let sizes = [0, 1, 5, 100, 1_000, 40_000, 3, 70_000, 2, 300_000, 12, 12, 12, 9_000]

    /// A window of 5 bytes is the prefix of a message: the next one is begun when this one was taken.
    @Test(arguments: [5, 100, 32_768, 65_535, 262_144, GRPCClientLimits.maximumWindow], 1...8)
    func aReaderGetsEverythingAndNoMoreThanItHasRoomFor(_ window: Int, _ seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        let sizes = Self.sizes.shuffled(using: &generator)
        var play = Play(window: window, sizes)
        var isStuck = false
        while play.takenCount < sizes.count, !isStuck {
            if Bool.random(using: &generator) || play.waiting.isEmpty {
                let hasSent = play.send(Int.random(in: 1...20_000, using: &generator))
                isStuck = !hasSent && play.waiting.isEmpty
            } else {
                play.take(1)
            }
            if window == 5 { #expect(play.waiting.count <= 1) }
        }
        #expect(!isStuck)
        #expect(play.largestWait <= max(window, 0) &+ 300_000)
        #expect(play.bytes.readableBytes == 0)
    }

    /// A reader that takes nothing stops its stream within its window, and a message that has begun.
    @Test(arguments: [(5, 1), (1_000, 10), (65_535, 596)])
    func whatNobodyReadsIsNotSent(_ window: Int, _ count: Int) {
        var play = Play(window: window, Array(repeating: 105, count: 10_000))
        while play.send(50) {}
        #expect(play.waiting.count == count)
    }

    @Test func everythingIsLetInIfNothingWaits() {
        var play = Play(window: GRPCClientLimits.maximumWindow, Array(repeating: 100_000, count: 50))
        while play.send(16_384) {}
        #expect(play.waiting.count == 50)
    }

    /// Its size does not depend on how streams are read.
    @Test(arguments: [5, 262_144], [0, 10, 65_535, 300_000])
    func theAnswerOfAUnaryCallIsLetIn(_ window: Int, _ size: Int) {
        var play = Play(window: window, kind: .unary, [size])
        while play.send(10_000) {}
        #expect(play.bytes.readableBytes == 0)
    }

    @Test func paddingCountsToo() {
        var machine = GRPCClientStateMachine(GRPCClientLimits(streamWindow: 1_000, maximumMessageByteCount: 100))
        _ = machine.openCall(.serverStreaming)
        let increments = (0..<2).map { _ in
            machine.dataReceived(ByteBuffer(), paddingByteCount: 256, on: 1)
            return machine.widening(of: 1)
        }
        #expect(increments == [0, 512])
        let increment = machine.widening(of: 3)
        #expect(increment == 0, "no call is open on this stream")
    }
}
