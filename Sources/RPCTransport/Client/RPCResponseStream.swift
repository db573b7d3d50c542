package import NIOCore
package import RPCCore

/// The messages that a method answers with. Iterating sends the call; each iteration is a call of its own.
package struct RPCResponseStream: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer
    package typealias Failure = RPCError

    private let client: RPCClient
    private let request: OutgoingRequest

    init(client: RPCClient, request: OutgoingRequest) {
        self.client = client
        self.request = request
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(client: client, request: request)
    }

    /// Reads one call's messages, sending the call again while it may. When it goes, the call goes.
    package final class Iterator: AsyncIteratorProtocol {
        private let client: RPCClient
        private let request: OutgoingRequest
        /// The call as it was sent last; there from the first `next()` on.
        private var call: ClientCall?
        private var attempts = 0
        private var hasMessage = false
        /// Of all attempts together.
        private lazy var deadline = request.timeout.map { NIODeadline.now() + TimeAmount($0) }

        fileprivate init(client: RPCClient, request: OutgoingRequest) {
            self.request = request
            self.client = client
        }

        deinit {
            call?.abandon(RPCError(.cancelled, "the reader of the stream is gone"))
        }

        package func next() async throws(RPCError) -> ByteBuffer? {
            while true {
                let call = self.call ?? begin()
                do throws(RPCError) {
                    let message = try await call.next()
                    if !hasMessage { client.callSucceeded() }
                    hasMessage = true
                    return message
                } catch {
                    try await prepareRepeat(of: call, after: error)
                    self.call = nil
                }
            }
        }

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> ByteBuffer? {
            try await next()
        }

        private func begin() -> ClientCall {
            let call = ClientCall(request, deadline: deadline, options: client.options)
            self.call = call
            attempts += 1
            call.start(on: client)
            return call
        }

        /// Returns when it is time to send the call again.
        ///
        /// - Throws: The failure, if the call is not to be sent again.
        private func prepareRepeat(of call: ClientCall, after error: RPCError) async throws(RPCError) {
            let failure = RetryPolicy.Failure(
                error: error,
                attempts: attempts,
                isRepeatable: !hasMessage && (request.isRepeatable || !call.mayHaveBeenSeen),
                remaining: deadline.map { Duration.nanoseconds(Swift.max(($0 - .now()).nanoseconds, 0)) }
            )
            guard failure.isRepeatable, let delay = client.retryDelay(after: failure) else { throw error }
            do {
                try await Task.sleep(for: delay)
            } catch {
                throw RPCError(.cancelled, "the caller cancelled the call")
            }
        }
    }
}
