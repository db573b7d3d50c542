package import NIOCore
package import RPCCore

/// The messages that a method answers with. Iterating sends the call; each iteration is a call of its own.
package struct RPCResponseStream: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer
    package typealias Failure = RPCError

    private let client: RPCClient
    private let request: OutgoingRequest
    private let options: RPCClientOptions

    init(client: RPCClient, request: OutgoingRequest, options: RPCClientOptions) {
        self.client = client
        self.request = request
        self.options = options
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(client: client, request: request, options: options)
    }

    /// Reads one call's messages. When it goes, the call goes.
    package final class Iterator: AsyncIteratorProtocol {
        private let client: RPCClient
        private let request: OutgoingRequest
        private let options: RPCClientOptions
        /// There from the first `next()` on.
        private var call: ClientCall?

        fileprivate init(client: RPCClient, request: OutgoingRequest, options: RPCClientOptions) {
            self.request = request
            self.options = options
            self.client = client
        }

        deinit {
            call?.abandon(RPCError(.cancelled, "the reader of the stream is gone"))
        }

        package func next() async throws(RPCError) -> ByteBuffer? {
            if let call { return try await call.next() }
            let call = ClientCall(request, options: options)
            self.call = call
            call.start(on: client)
            return try await call.next()
        }

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> ByteBuffer? {
            try await next()
        }
    }
}
