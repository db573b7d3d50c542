import HTTPFraming
import NIOCore
import NIOPosix
import RPCCore
import RPCServer
import Synchronization
import WireClients
import WireMessages

/// A service for tests: each method does one thing that a wire has to carry.
final class TestMethods: Sendable {
    static let name = "test.v1.Test"
    static func path(_ method: String) -> MethodPath { MethodPath(service: name, method: method) }

    private let state = Mutex((waiting: 0, cancelled: 0))
    private let stubbornEnd = AsyncStream<Void>.makeStream()
    /// The calls that wait for the test; nil once they may end.
    private let holds = Mutex<[AsyncStream<Void>.Continuation]?>([])
    /// Set when a call of `Hold`, or of a method like it, has begun.
    let hasWaiting = Signal()
    /// Set when one of them was cancelled.
    let hasCancelled = Signal()
    /// The feed of `Follow`.
    let feed = TestFeed()
    /// The calls of `Pend`.
    let pended = PendedCalls()
    /// The callers that `Caller` saw, each twice: as its call said, and as its work found out.
    let callers = Mutex<[CallerID]>([])

    var waitingCount: Int { state.withLock(\.waiting) }
    var cancelledCount: Int { state.withLock(\.cancelled) }

    /// Lets the calls of `Stubborn` end.
    func stubbornMayEnd() { stubbornEnd.continuation.finish() }

    /// Lets the calls of `Hold`, and of those like it, continue.
    func holdsMayEnd() {
        let held = holds.withLock { holds in
            defer { holds = nil }
            return holds ?? []
        }
        for source in held { source.finish() }
    }

    /// Waits until the test lets the call continue, or until it is cancelled.
    private func hold() async {
        let (end, source) = AsyncStream.makeStream(of: Void.self)
        let isHeld = holds.withLock { holds in
            holds?.append(source)
            return holds != nil
        }
        state.withLock { $0.waiting += 1 }
        hasWaiting.set()
        if isHeld { for await _ in end {} }
        state.withLock { $0.waiting -= 1 }
        guard Task.isCancelled else { return }
        state.withLock { $0.cancelled += 1 }
        hasCancelled.set()
    }

    /// The methods that answer with a stream.
    static let streams: Set = ["Count", "HoldThenCount", "OneThenHold", "Follow"]

    var service: RPCService {
        RPCService(
            name: Self.name,
            methods: [
                // Answers with its request.
                RPCMethod(name: "Echo", kind: .unary, maximumRequestBytes: 200_000) { .last($0.payload) },
                // The same, with messages that have JSON. It has no side effects.
                RPCMethod(
                    name: "Text",
                    kind: .unary,
                    hasNoSideEffects: true,
                    json: JSONCodec(
                        request: "grpc.health.v1.HealthCheckRequest",
                        response: "grpc.health.v1.HealthCheckRequest"
                    )
                ) { .last($0.payload) },
                // The same, with the same answer for all callers.
                RPCMethod(name: "Shared", kind: .unary, hasNoSideEffects: true, cacheSeconds: 60) { .last($0.payload) },
                // Fails, and has no side effects.
                RPCMethod(name: "FailedRead", kind: .unary, hasNoSideEffects: true) { _ throws(RPCError) in
                    throw RPCError(.notFound, reason: .characterNotFound, "not found")
                },
                // Answers each of its requests with the request.
                RPCMethod(name: "Talk", kind: .bidirectional) { _ in .conversation(Echoes()) },
                // A stream of as many messages as the first two bytes say, each of as many bytes as the next four.
                RPCMethod(name: "Count", kind: .serverStreaming, hasNoSideEffects: true) {
                    CountSource.step($0.payload)
                },
                // Answers with its request when the test lets it.
                RPCMethod(name: "Hold", kind: .unary) { call in
                    .later { () async throws(RPCError) in
                        await self.hold()
                        return .last(call.payload)
                    }
                },
                // Waits like `Hold`, then streams like `Count`.
                RPCMethod(name: "HoldThenCount", kind: .serverStreaming) { call in
                    .later { () async throws(RPCError) in
                        await self.hold()
                        return CountSource.step(call.payload)
                    }
                },
                // Streams one message, then waits like `Hold`.
                RPCMethod(name: "OneThenHold", kind: .serverStreaming) { _ in
                    .encoded(ByteBuffer(string: "one"), then: Held { await self.hold() })
                },
                RPCMethod(name: "Fail", kind: .unary) { _ throws(RPCError) in
                    throw RPCError(.notFound, reason: .characterNotFound, "there is no %é", metadata: ["id": "7"])
                },
                // Answers with its request, a little later.
                RPCMethod(name: "Later", kind: .unary) { call in
                    .later { () async throws(RPCError) in .last(call.payload) }
                },
                // Answers with the metadata of the caller, in lines.
                RPCMethod(name: "Metadata", kind: .unary) { call in
                    let pairs = call.metadata.pairs.filter { $0.key.hasPrefix("x-") || $0.key == "authorization" }
                    return .last(ByteBuffer(string: pairs.map { "\($0.key)=\($0.value)\n" }.joined()))
                },
                // Answers with as many bytes as the first four bytes say. It has no side effects.
                RPCMethod(name: "Sized", kind: .unary, hasNoSideEffects: true, maximumRequestBytes: 300_000) { call in
                    let size = call.payload.getInteger(at: call.payload.readerIndex, as: UInt32.self) ?? 0
                    return .last(ByteBuffer(repeating: 0, count: Int(size)))
                },
                // The same, a little later.
                RPCMethod(name: "SizedLater", kind: .unary, hasNoSideEffects: true) { call in
                    .later { () async throws(RPCError) in
                        let size = call.payload.getInteger(at: call.payload.readerIndex, as: UInt32.self) ?? 0
                        return .last(ByteBuffer(repeating: 0, count: Int(size)))
                    }
                },
                // Takes the largest requests, and answers with four bytes.
                RPCMethod(name: "Large", kind: .unary, maximumRequestBytes: 1_114_112) { _ in
                    .last(ByteBuffer(repeating: 0, count: 4))
                },
                // Fails with the code that the first byte says, and the text that follows.
                RPCMethod(name: "Status", kind: .unary) { call throws(RPCError) in
                    var payload = call.payload
                    let code = payload.readInteger(as: UInt8.self).flatMap { StatusCode(rawValue: Int32($0)) }
                    throw RPCError(code ?? .unknown, String(buffer: payload))
                },
                // Notes its caller.
                RPCMethod(name: "Caller", kind: .unary) { call in
                    .later { () async throws(RPCError) in
                        self.callers.withLock { $0 += [call.caller, CallerID.current] }
                        return .last(ByteBuffer())
                    }
                },
                // Waits like `Hold`, and answers with 1 if its work runs on an event loop before and after it, else with 0.
                RPCMethod(name: "WhereWorkRuns", kind: .unary) { _ in
                    .later { () async throws(RPCError) in
                        let before = MultiThreadedEventLoopGroup.currentEventLoop
                        await self.hold()
                        let after = MultiThreadedEventLoopGroup.currentEventLoop
                        return .last(ByteBuffer(bytes: [before != nil && before === after ? 1 : 0]))
                    }
                },
                pended.method("Pend"),
                feed.method("Follow"),
                // Wakes the followers before it answers, on the event loop of its connection.
                RPCMethod(name: "Rise", kind: .unary) { _ in
                    self.feed.rise(wakeCount: 2)
                    return .last(ByteBuffer())
                },
                // Runs on when it is cancelled.
                RPCMethod(name: "Stubborn", kind: .unary) { _ in
                    .later { () async throws(RPCError) in
                        let end = self.stubbornEnd.stream
                        await Task { for await _ in end {} }.value
                        return .last(ByteBuffer())
                    }
                },
            ]
        )
    }
}

extension TestMethods {
    /// The methods of a port of pages: those that need no stream and no deadline. The query has the bytes of the request.
    @Sendable func page(_ request: PageRequest) async -> PageAnswer {
        let parts = request.target.dropFirst().split(separator: "?")
        var payload = ByteBuffer(bytes: parts.dropFirst().joined().split(separator: ",").compactMap { UInt8($0) })
        switch parts.first {
        case "Hold": await hold()
        case "Sized": payload = ByteBuffer(repeating: 0, count: Int(payload.readInteger(as: UInt32.self) ?? 0))
        default: break
        }
        return PageAnswer(PlainAnswer(200, [], body: payload))
    }
}

/// The end of a stream that waits.
private final class Held: MessageSource {
    private let wait: @Sendable () async -> Void

    init(_ wait: @escaping @Sendable () async -> Void) { self.wait = wait }

    func next() throws(RPCError) -> Step {
        .later { [wait] () async throws(RPCError) in
            await wait()
            return .end
        }
    }
}

private final class Echoes: Conversation {
    func answer(to payload: ByteBuffer) throws(RPCError) -> any OutgoingMessage { EncodedMessage(payload) }
}

/// Messages that each begin with their number.
private final class CountSource: MessageSource {
    private let number: Int
    private let count: Int
    private let size: Int

    init(_ count: Int, size: Int, number: Int = 0) {
        self.number = number
        self.count = count
        self.size = size
    }

    /// The first step of a stream.
    static func step(_ request: ByteBuffer) -> Step {
        var request = request
        let (count, size) = request.readMultipleIntegers(as: (UInt16, UInt32).self) ?? (0, 0)
        return count == 0 ? .end : .source(CountSource(Int(count), size: Int(size)))
    }

    var place: [String: String] { ["number": "\(number)"] }

    func next() throws(RPCError) -> Step {
        var message = ByteBuffer(integer: UInt32(number))
        message.writeRepeatingByte(UInt8(truncatingIfNeeded: number), count: max(0, size - 4))
        let isLast = number + 1 == count
        return .encoded(message, then: isLast ? nil : CountSource(count, size: size, number: number + 1))
    }
}
