package import NIOCore
package import RPCCore

/// The response messages of a streaming method. Iterating sends the call; each iteration is a call of its own.
package struct RPCResponseStream: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer
    package typealias Failure = RPCError

    let client: RPCClient
    let request: OutgoingRequest
    let timeout: Duration?

    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator over one call's messages. Releasing it cancels the call.
    package final class Iterator: AsyncIteratorProtocol {
        private let stream: RPCResponseStream
        private let queue: MessageQueue
        /// The call; nil before the first `next()`.
        private var call: ClientCall?

        fileprivate init(_ stream: RPCResponseStream) {
            self.stream = stream
            self.queue = MessageQueue(options: stream.client.options)
        }

        deinit {
            if let call { mailbox.post(.abandon(call)) }
        }

        package func next() async throws(RPCError) -> ByteBuffer? {
            let call = started()
            let mailbox = mailbox
            let result = await withTaskCancellationHandler {
                await queue.next { credit in mailbox.post(.grant(credit, call)) }
            } onCancel: {
                mailbox.post(.abandon(call))
            }
            return try result.get()
        }

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> ByteBuffer? {
            try await next()
        }

        private var mailbox: ClientMailbox { stream.client.mailbox }

        private func started() -> ClientCall {
            if let call { return call }
            let call = ClientCall(
                stream.request,
                deadline: stream.client.deadline(after: stream.timeout),
                queue: queue
            )
            self.call = call
            mailbox.post(.call(call))
            return call
        }
    }
}
