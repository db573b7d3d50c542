import NIOCore
import RPCCore
import Synchronization
import WireMessages

@testable import MarvelClient

/// Answers from a script and remembers what it was asked.
final class FakeChannel: RPCChannel {
    struct Call: Sendable {
        var method: String
        var request: ByteBuffer
        var timeout: Duration?
        var waitsForServer = true
    }

    private let answers: [Result<ByteBuffer, RPCError>]
    private let log = Mutex<[Call]>([])
    private let shutdowns = Atomic(0)

    /// - Parameter answers: The messages of the streams, in order, each of which a failure ends; or an answer for each
    ///   unary call.
    init(_ answers: [Result<ByteBuffer, RPCError>]) {
        self.answers = answers
    }

    convenience init(_ messages: any WireMessage...) {
        self.init(messages.map { .success($0.encoded()) })
    }

    var calls: [Call] { log.withLock { $0 } }
    var isShutDown: Bool { shutdowns.load(ordering: .relaxed) > 0 }

    /// The requests so far, decoded.
    func requests<Request: WireMessage>(_: Request.Type) throws -> [Request] {
        try calls.map { try Request(decoding: $0.request, limit: .request) }
    }

    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer {
        let number = log.withLock { calls in
            calls.append(Call(method: method.description, request: request, timeout: timeout))
            return calls.count
        }
        // The last answer is that of all later calls too.
        guard !answers.isEmpty else { throw RPCError(.internalError, "the script has no answer") }
        return try answers[min(number, answers.count) - 1].get()
    }

    func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> Messages {
        let number = log.withLock { calls in
            calls.append(
                Call(
                    method: method.description,
                    request: request,
                    timeout: timeout,
                    waitsForServer: waitsForServer
                )
            )
            return calls.count
        }
        // A script of several streams: each ends at a failure.
        var rest = answers[...]
        for _ in 1..<number {
            guard let failure = rest.firstIndex(where: { if case .failure = $0 { true } else { false } }) else { break }
            rest = rest[(failure + 1)...]
        }
        return Messages(answers: Array(rest))
    }

    func connectNow() {}

    func shutdown() async {
        shutdowns.add(1, ordering: .relaxed)
    }

    struct Messages: AsyncSequence, Sendable {
        typealias Failure = RPCError

        var answers: [Result<ByteBuffer, RPCError>]

        func makeAsyncIterator() -> Iterator { Iterator(answers: answers[...]) }

        struct Iterator: AsyncIteratorProtocol {
            var answers: ArraySlice<Result<ByteBuffer, RPCError>>

            mutating func next() async throws(RPCError) -> ByteBuffer? {
                try await next(isolation: #isolation)
            }

            mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> ByteBuffer? {
                try answers.popFirst()?.get()
            }
        }
    }
}
