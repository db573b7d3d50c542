import Framing
import NIOCore
import RPCCore
import Testing

/// Requests that wait because their peer does not read.
@Suite struct HeldRequestsTests {
    private static func held(_ frames: Frame..., count: Int = 10, bytes: Int = 10_000) -> HeldRequests {
        var held = HeldRequests(maximumCount: count, maximumBytes: bytes)
        for frame in frames { _ = held.frameReceived(.frame(frame), obeysCancel: true, now: .distantPast) }
        return held
    }

    private static func release(_ held: inout HeldRequests) -> [FrameDecoder.Output] {
        var outputs: [FrameDecoder.Output] = []
        while let (output, _) = held.next() { outputs.append(output) }
        return outputs
    }

    @Test func requestsAreReleasedInTheirOrder() {
        let oversized = FrameDecoder.Output.oversized(.oversized(.request, on: 5), maximum: 1_000)
        var held = Self.held(.request(1), .request(3, .remoteClosed))
        let action = held.frameReceived(oversized, obeysCancel: true, now: .distantPast)
        #expect(action == .hold)
        let released = Self.release(&held)
        #expect(released == [.frame(.request(1)), .frame(.request(3, .remoteClosed)), oversized])
        #expect(held.isEmpty)
    }

    /// The timeouts of their callers have begun.
    @Test func requestsKeepTheTimesOfTheirArrival() {
        var held = HeldRequests(maximumCount: 10, maximumBytes: 10_000)
        for time: UInt64 in [5, 7] {
            let frame = Frame.request(StreamID(rawValue: UInt32(time)))
            _ = held.frameReceived(.frame(frame), obeysCancel: true, now: .uptimeNanoseconds(time))
        }
        let times = [held.next()?.arrivedAt, held.next()?.arrivedAt, held.next()?.arrivedAt]
        #expect(times == [.uptimeNanoseconds(5), .uptimeNanoseconds(7), nil])
    }

    @Test func framesOfAHeldRequestWaitBehindIt() {
        var held = Self.held(.request(1), .request(3))
        for frame in [.credit(2, 1), .end(1), .credit(1, 3)] as [Frame] {
            let behind = held.frameReceived(.frame(frame), obeysCancel: true, now: .distantPast)
            #expect(behind == .hold)
        }
        let expected: [Frame] = [.request(1), .request(3), .credit(2, 1), .end(1), .credit(1, 3)]
        let released = Self.release(&held)
        #expect(released == expected.map(FrameDecoder.Output.frame))
    }

    @Test(arguments: [.cancel(1), .credit(1, 1), .data(1), .ping, .pong, .hello, .response(3)] as [Frame])
    func framesOfOtherCallsAreProcessedImmediately(_ frame: Frame) {
        var held = Self.held(.request(3))
        let obeyed = held.frameReceived(.frame(frame), obeysCancel: true, now: .distantPast)
        #expect(obeyed == .process)
        let released = Self.release(&held)
        #expect(released == [.frame(.request(3))])
    }

    @Test func aCancelRemovesItsRequestAndLaterFrames() {
        var held = Self.held(.request(1), .request(3), .credit(1, 3), .request(5), count: 3)
        #expect(held.isFull)
        let first = held.frameReceived(.frame(.cancel(3)), obeysCancel: true, now: .distantPast)
        #expect(first == .withdraw)
        #expect(!held.isFull)
        let again = held.frameReceived(.frame(.cancel(3)), obeysCancel: true, now: .distantPast)
        #expect(again == .process, "it is gone")
        let released = Self.release(&held)
        #expect(released == [.frame(.request(1)), .frame(.request(5))])
    }

    @Test func aPlainPeersCancelRemovesNothing() {
        var held = Self.held(.request(1))
        let plain = held.frameReceived(.frame(.cancel(1)), obeysCancel: false, now: .distantPast)
        #expect(plain == .process)
        let released = Self.release(&held)
        #expect(released == [.frame(.request(1))])
    }

    // MARK: The bounds

    @Test func theNumberOfRequestsIsLimited() {
        var held = Self.held(.request(1), count: 2)
        #expect(!held.isFull)
        _ = held.frameReceived(.frame(.request(3)), obeysCancel: true, now: .distantPast)
        #expect(held.isFull)
        _ = held.next()
        #expect(!held.isFull)
    }

    @Test(arguments: [Frame.request(3), .credit(1, 1), .end(1)])
    func theBytesOfAllFramesAreLimited(_ frame: Frame) {
        let cost = HeldRequests.bytesPerFrame + frame.data.readableBytes
        var held = Self.held(.request(1), count: 1_000, bytes: 100_000)
        var count = 0
        while !held.isFull, count < 10_000 {
            _ = held.frameReceived(.frame(frame), obeysCancel: true, now: .distantPast)
            count += 1
        }
        #expect(count == (100_000 - HeldRequests.bytesPerFrame - 7 + cost - 1) / cost)
        _ = Self.release(&held)
        #expect(held.isEmpty && !held.isFull)
    }

    /// A slice of what was read would keep all of it.
    @Test func heldFramesAreCopies() throws {
        let read = ByteBuffer(repeating: 1, count: 60_000)
        let slice = try #require(read.getSlice(at: 100, length: 20))
        var held = Self.held(Frame(.request, on: 1, data: slice))
        guard case .frame(let frame)? = held.next()?.output else {
            Issue.record("nothing is held")
            return
        }
        #expect(frame.data == slice)
        #expect(frame.data.storageCapacity < 100)
    }
}
