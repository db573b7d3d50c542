import NIOCore
import RPCCore
import Synchronization
import WireMessages

/// A service for tests: each method does one thing that a wire has to carry.
final class TestMethods: Sendable {
    private let state = Mutex((waiting: 0, cancelled: 0))
    private let stubbornEnd = AsyncStream<Void>.makeStream()
    /// Set when a call of `Wait` has begun.
    let hasWaiting = Signal()
    /// Set when a call of `Wait` was cancelled.
    let hasCancelled = Signal()

    var waitingCount: Int { state.withLock(\.waiting) }
    var cancelledCount: Int { state.withLock(\.cancelled) }

    /// Lets the calls of `Stubborn` end.
    func stubbornMayEnd() { stubbornEnd.continuation.finish() }

    var service: RPCService {
        RPCService(
            name: "test.v1.Test",
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
                RPCMethod(name: "Count", kind: .serverStreaming, hasNoSideEffects: true) { call in
                    var payload = call.payload
                    let (count, size) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) ?? (0, 0)
                    return count == 0 ? .end : .source(CountSource(Int(count), size: Int(size)))
                },
                RPCMethod(name: "Fail", kind: .unary) { _ throws(RPCError) in
                    throw RPCError(.notFound, reason: .characterNotFound, "there is no %é", metadata: ["id": "7"])
                },
                // Waits until it is cancelled.
                RPCMethod(name: "Wait", kind: .unary) { _ in
                    .later { () async throws(RPCError) in
                        self.state.withLock { $0.waiting += 1 }
                        self.hasWaiting.set()
                        // Nothing ever arrives.
                        let (events, source) = AsyncStream<Void>.makeStream()
                        for await _ in events {}
                        withExtendedLifetime(source) {}
                        self.state.withLock { state in
                            state.waiting -= 1
                            state.cancelled += 1
                        }
                        self.hasCancelled.set()
                        return .last(ByteBuffer())
                    }
                },
                // Answers with its request, a little later.
                RPCMethod(name: "Later", kind: .unary) { call in
                    .later { () async throws(RPCError) in .last(call.payload) }
                },
                // Answers with its request, after some time.
                RPCMethod(name: "Slow", kind: .unary) { call in
                    .later { () async throws(RPCError) in
                        try? await Task.sleep(for: .milliseconds(200))
                        return .last(call.payload)
                    }
                },
                // Answers with the metadata of the caller, in lines.
                RPCMethod(name: "Metadata", kind: .unary) { call in
                    let pairs = call.metadata.pairs.filter { $0.key.hasPrefix("x-") }
                    return .last(ByteBuffer(string: pairs.map { "\($0.key)=\($0.value)\n" }.joined()))
                },
                // Answers with as many bytes as the first four bytes say.
                RPCMethod(name: "Sized", kind: .unary, maximumRequestBytes: 300_000) { call in
                    let size = call.payload.getInteger(at: call.payload.readerIndex, as: UInt32.self) ?? 0
                    return .last(ByteBuffer(repeating: 0, count: Int(size)))
                },
                // Takes the largest requests, and answers with four bytes.
                RPCMethod(name: "Large", kind: .unary, maximumRequestBytes: 1_114_112) { _ in
                    .last(ByteBuffer(repeating: 0, count: 4))
                },
                // A stream of messages of as many bytes as each four bytes say.
                RPCMethod(name: "Sizes", kind: .serverStreaming) { call in
                    var (payload, sizes) = (call.payload, [Int]())
                    while let size = payload.readInteger(as: UInt32.self) { sizes.append(Int(size)) }
                    return sizes.isEmpty ? .end : .source(SizesSource(sizes))
                },
                // Fails with the code that the first byte says, and the text that follows.
                RPCMethod(name: "Status", kind: .unary) { call throws(RPCError) in
                    var payload = call.payload
                    let code = payload.readInteger(as: UInt8.self).flatMap { StatusCode(rawValue: Int32($0)) }
                    throw RPCError(code ?? .unknown, String(buffer: payload))
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

    var place: [String: String] { ["number": "\(number)"] }

    func next() throws(RPCError) -> Step {
        var message = ByteBuffer(integer: UInt32(number))
        message.writeRepeatingByte(UInt8(truncatingIfNeeded: number), count: max(0, size - 4))
        let isLast = number + 1 == count
        return .encoded(message, then: isLast ? nil : CountSource(count, size: size, number: number + 1))
    }
}

/// Messages of the given sizes.
private final class SizesSource: MessageSource {
    private let sizes: [Int]

    init(_ sizes: [Int]) { self.sizes = sizes }

    var place: [String: String] { [:] }

    func next() throws(RPCError) -> Step {
        let rest = Array(sizes.dropFirst())
        return .encoded(ByteBuffer(repeating: 0, count: sizes[0]), then: rest.isEmpty ? nil : SizesSource(rest))
    }
}
