import NIOCore
import NIOPosix
import RPCCore
import Synchronization
import WireClients

/// A service that knows nothing of Marvel: the transport is tested with it.
final class TestService: Sendable {
    static let name = "test.v1.TestService"

    static func path(_ method: String) -> MethodPath { MethodPath(service: name, method: method) }

    /// Set when `Wait` has begun, when its task was cancelled, and (by the test) to let it answer.
    let waitStarted = Signal()
    let waitCancelled = Signal()
    let waitMayEnd = Signal()
    /// The feed of `Follow`; `FollowImpatiently` says so when nothing happens.
    let feed = TestFeed()
    /// Messages that `Endless` has made.
    let produced = Atomic(0)
    /// The callers that `Caller` saw, each twice: as its call said, and as its work found out.
    let callers = Mutex<[CallerID]>([])
    /// The functions that let the calls of `Pend` answer, and a signal that one of them was cancelled.
    let pending = Mutex<[@Sendable () -> Void]>([])
    let pendingCancelled = Signal()

    var service: RPCService {
        RPCService(
            name: Self.name,
            methods: [
                // Answers with its request, from memory.
                RPCMethod(name: "Echo", kind: .unary) { call throws(RPCError) in .last(call.payload) },
                // Answers with how many bytes its request has, when the test lets it.
                RPCMethod(name: "Upload", kind: .unary, maximumRequestBytes: 1 << 20) { [self] call throws(RPCError) in
                    .later { () async throws(RPCError) in
                        await self.wait()
                        return .last(ByteBuffer(integer: UInt32(call.payload.readableBytes)))
                    }
                },
                // Answers with the metadata that came along, one `key=value` a line.
                RPCMethod(name: "Metadata", kind: .unary) { call throws(RPCError) in
                    .last(
                        ByteBuffer(string: call.metadata.pairs.map { "\($0.key)=\($0.value)" }.joined(separator: "\n"))
                    )
                },
                // Notes its caller.
                RPCMethod(name: "Caller", kind: .unary) { [self] call throws(RPCError) in
                    .later { () async throws(RPCError) in
                        self.callers.withLock { $0 += [call.caller, CallerID.current] }
                        return .last(ByteBuffer())
                    }
                },
                // Fails with the status code that the request's first byte names.
                RPCMethod(name: "Fail", kind: .unary) { call throws(RPCError) in
                    let code = call.payload.readableBytesView.first.flatMap { StatusCode(rawValue: Int32($0)) }
                    throw RPCError(
                        code ?? .unknown,
                        reason: ErrorReason(rawValue: "ASKED_FOR"),
                        "failed as asked",
                        metadata: ["code": "\(code?.rawValue ?? -1)"],
                        details: [.retryInfo(.milliseconds(1500))]
                    )
                },
                // Answers when the test lets it.
                RPCMethod(name: "Wait", kind: .unary) { [self] call throws(RPCError) in
                    .later { () async throws(RPCError) in
                        await self.wait()
                        return .last(call.payload)
                    }
                },
                // Answers with 1 if its work runs on an event loop before and after it waited, else with 0.
                RPCMethod(name: "WhereWorkRuns", kind: .unary) { [self] _ throws(RPCError) in
                    .later { () async throws(RPCError) in
                        let before = MultiThreadedEventLoopGroup.currentEventLoop
                        await self.wait()
                        let after = MultiThreadedEventLoopGroup.currentEventLoop
                        return .last(ByteBuffer(bytes: [before != nil && before === after ? 1 : 0]))
                    }
                },
                // Answers with its request when the test calls back, or at once if it is empty. The answer is made on an
                // event loop, or it is an error.
                RPCMethod(name: "Pend", kind: .unary) { [self] call throws(RPCError) in
                    .pending(Pended(call.payload, by: self))
                },
                // Streams one message, then waits for what never happens.
                RPCMethod(name: "Watch", kind: .serverStreaming, isWatch: true) { [self] _ throws(RPCError) in
                    .encoded(ByteBuffer(string: "now"), then: Waiting(service: self))
                },
                // Streams as many messages as the request has bytes, each holding its number.
                RPCMethod(name: "Count", kind: .serverStreaming) { call throws(RPCError) in
                    try Numbers(number: 0, end: call.payload.readableBytes).next()
                },
                // Waits like `Wait`, then streams like `Count`.
                RPCMethod(name: "WaitThenCount", kind: .serverStreaming) { [self] call throws(RPCError) in
                    .later { () async throws(RPCError) in
                        await self.wait()
                        return try Numbers(number: 0, end: call.payload.readableBytes).next()
                    }
                },
                // Streams for ever, 1,000 bytes at a time.
                RPCMethod(name: "Endless", kind: .serverStreaming) { [self] _ throws(RPCError) in
                    try Endless(service: self).next()
                },
                // Streams as many messages of 50,000 bytes as the request has bytes.
                RPCMethod(name: "Blocks", kind: .serverStreaming) { call throws(RPCError) in
                    try Blocks(left: call.payload.readableBytes).next()
                },
                // Streams one message, then waits like `Wait`.
                RPCMethod(name: "OneThenWait", kind: .serverStreaming) { [self] _ throws(RPCError) in
                    .encoded(ByteBuffer(string: "one"), then: Waiting(service: self))
                },
                // Wakes the followers before it answers, on the event loop of its connection.
                RPCMethod(name: "Rise", kind: .unary) { [feed] _ throws(RPCError) in
                    feed.rise(wakeCount: 2)
                    return .last(ByteBuffer())
                },
                feed.method("Follow"),
                feed.method("FollowImpatiently", timeout: .milliseconds(10)),
            ]
        )
    }

    private func wait() async {
        waitStarted.set()
        await waitMayEnd.wait()
        if !waitMayEnd.isSet { waitCancelled.set() }
    }

    fileprivate func pend(
        _ payload: ByteBuffer,
        _ answer: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        guard payload.readableBytes > 0 else {
            answer()
            return {}
        }
        pending.withLock { $0.append(answer) }
        return { [pendingCancelled] in
            pendingCancelled.set()
            answer()
        }
    }

    private final class Pended: PendingStep {
        private let payload: ByteBuffer
        private let service: TestService

        init(_ payload: ByteBuffer, by service: TestService) { (self.payload, self.service) = (payload, service) }

        func begin(_ arrived: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            service.pend(payload, arrived)
        }

        func step() throws(RPCError) -> Step {
            guard MultiThreadedEventLoopGroup.currentEventLoop != nil else { throw RPCError(.internalError, "") }
            return .last(payload)
        }
    }

    private final class Numbers: MessageSource {
        let number: Int
        let end: Int

        init(number: Int, end: Int) {
            self.number = number
            self.end = end
        }

        var place: [String: String] { ["number": "\(number)"] }

        func next() throws(RPCError) -> Step {
            guard number < end else { return .end }
            return .encoded(ByteBuffer(integer: UInt32(number)), then: Numbers(number: number + 1, end: end))
        }
    }

    private final class Blocks: MessageSource {
        let left: Int

        init(left: Int) { self.left = left }

        func next() throws(RPCError) -> Step {
            guard left > 0 else { return .end }
            return .encoded(ByteBuffer(repeating: 7, count: 50_000), then: Blocks(left: left - 1))
        }
    }

    private final class Endless: MessageSource {
        let service: TestService

        init(service: TestService) { self.service = service }

        func next() throws(RPCError) -> Step {
            service.produced.add(1, ordering: .relaxed)
            return .encoded(ByteBuffer(repeating: 7, count: 1000), then: self)
        }
    }

    private final class Waiting: MessageSource {
        let service: TestService

        init(service: TestService) { self.service = service }

        func next() throws(RPCError) -> Step {
            .later { [service] () async throws(RPCError) in
                await service.wait()
                return .end
            }
        }
    }
}
