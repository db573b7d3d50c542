internal import NIOCore
internal import RPCCore

/// A call of a client: the messages that have arrived and were not read, and its end.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedCall: @unchecked Sendable {
    let id: StreamID
    let link: SimulatedLink
    private var messages: [ByteBuffer] = []
    private var result: Result<Void, RPCError>?
    private var reader: CheckedContinuation<Void, Never>?

    init(_ id: StreamID, on link: SimulatedLink) {
        self.id = id
        self.link = link
    }

    func received(_ message: ByteBuffer) {
        messages.append(message)
        wake()
    }

    func end(_ result: Result<Void, RPCError>) {
        self.result = result
        wake()
    }

    private func wake() {
        reader?.resume()
        reader = nil
    }

    /// Returns the next message; nil after the last one.
    func next() async throws(RPCError) -> ByteBuffer? { try await nextResult().get() }

    func nextResult() async -> Result<ByteBuffer?, RPCError> {
        while messages.isEmpty {
            if let result { return result.map { nil } }
            await withCheckedContinuation { reader = $0 }
        }
        return .success(messages.removeFirst())
    }
}

/// The messages of a stream. Reading them sends the call, and grants the server credit for each.
struct SimulatedStream: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = RPCError

    let method: MethodPath
    let request: ByteBuffer
    let deadline: NIODeadline?
    let isRepeatable: Bool
    let channel: SimulatedChannel

    func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let stream: SimulatedStream
        private var call: SimulatedCall?
        private var attempt = 0
        private var hasMessage = false

        init(stream: SimulatedStream) { self.stream = stream }

        mutating func next() async throws(RPCError) -> ByteBuffer? {
            try await next(isolation: #isolation)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> ByteBuffer? {
            while true {
                do throws(RPCError) {
                    let call: SimulatedCall
                    if let open = self.call { call = open } else { call = try begin() }
                    let message = try await read(call)
                    guard message != nil else { return nil }
                    hasMessage = true
                    call.link.grant(call)
                    return message
                } catch {
                    call = nil
                    guard !hasMessage, !Task.isCancelled else { throw error }
                    attempt += 1
                    try await stream.channel.waitForRetry(error, attempt, stream.isRepeatable, stream.deadline)
                }
            }
        }

        private mutating func begin() throws(RPCError) -> SimulatedCall {
            let call = try stream.channel.begin(
                stream.method,
                .serverStreaming,
                stream.request,
                deadline: stream.deadline
            )
            self.call = call
            return call
        }

        private func read(_ call: SimulatedCall) async throws(RPCError) -> ByteBuffer? {
            let result: Result<ByteBuffer?, RPCError> = await withTaskCancellationHandler {
                await call.nextResult()
            } onCancel: {
                call.link.cancel(call, RPCError(.cancelled, reason: .cancelled, "the reader left"))
            }
            return try result.get()
        }
    }
}
