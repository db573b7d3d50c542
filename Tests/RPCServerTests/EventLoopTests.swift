import Dispatch
import NIOCore
import NIOPosix
import Testing

@testable import RPCServer

/// Whether the event loops of the process answer.
@Suite struct EventLoopTests {
    @Test func loopsThatAreFreeAnswer() async {
        #expect(await EventLoops.answer(within: .seconds(600)))
    }

    @Test func aLoopThatIsBlockedDoesNotAnswer() async {
        let (blocked, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let task = loop.submit {
            blocked.signal()
            released.wait()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                blocked.wait()
                continuation.resume()
            }
        }
        #expect(await !EventLoops.answer(within: .milliseconds(20)))
        released.signal()
        try? await task.get()
        #expect(await EventLoops.answer(within: .seconds(600)))
    }
}
