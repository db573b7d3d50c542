package import NIOCore
internal import NIOPosix
package import RPCCore

/// Calls methods of a service that listens at one or more addresses.
///
/// One connection carries all calls. It is opened with the first, and opened again, perhaps at another address, when it
/// was lost; what is safe to repeat is repeated. A client that makes no calls costs a few objects: no thread, no task.
package final class RPCClient: Sendable {
    package let addresses: [ServerAddress]
    let options: RPCClientOptions
    let mailbox: ClientMailbox

    /// - Parameters:
    ///   - addresses: Where the service is. They are tried in order, the last good one first.
    ///   - options: Limits and names.
    package convenience init(addresses: [ServerAddress], options: RPCClientOptions = RPCClientOptions()) {
        self.init(
            addresses: addresses,
            options: options,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            connector: .sockets(options),
            chance: { Double.random(in: 0..<1) }
        )
    }

    /// - Parameters:
    ///   - addresses: Where the service is.
    ///   - options: Limits and names.
    ///   - eventLoop: Where the client lives; its clock is the client's.
    ///   - connector: What opens connections.
    ///   - chance: Evenly distributed in 0..<1, for waits.
    init(
        addresses: [ServerAddress],
        options: RPCClientOptions,
        eventLoop: any EventLoop,
        connector: Connector,
        chance: @escaping @Sendable () -> Double
    ) {
        let core = ClientCore(
            addresses: addresses,
            options: options,
            eventLoop: eventLoop,
            connector: connector,
            chance: chance
        )
        self.addresses = addresses
        self.options = options
        self.mailbox = ClientMailbox(eventLoop: eventLoop, core: .makeBoxSendingValue(core, eventLoop: eventLoop))
    }

    deinit {
        mailbox.post(.shutDown(nil))
    }

    /// Calls a method that answers once.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: How long the caller waits, all tries together; nil leaves it to the server (10 s). It travels with
    ///     the call.
    ///   - metadata: Pairs that travel with the call.
    ///   - repetition: Whether the call may be sent again.
    /// - Returns: The encoded response message.
    /// - Throws: The call's status. A cancelled task cancels the call.
    package func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata(),
        repetition: Repetition = .ifUnseen
    ) async throws(RPCError) -> ByteBuffer {
        let call = ClientCall(
            OutgoingRequest(method, .unary, request, metadata),
            repetition: repetition,
            deadline: deadline(after: timeout)
        )
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in mailbox.post(.callOnce(call, caller)) }
        } onCancel: {
            mailbox.post(.abandon(call))
        }
        return try result.get()
    }

    /// Calls a method that answers with a stream of messages.
    ///
    /// Nothing is sent before the first message is asked for. The call ends with the stream, with an error, when the
    /// task is cancelled, or when the iterator is dropped. It is tried again before its first message only, unless it
    /// is resumable.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: How long the whole stream may take, all tries together; nil is no limit.
    ///   - metadata: Pairs that travel with the call.
    ///   - repetition: Whether the call may be sent again.
    /// - Returns: The encoded messages.
    package func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata(),
        repetition: Repetition = .ifUnseen
    ) -> RPCResponseStream {
        let request = OutgoingRequest(method, .serverStreaming, request, metadata)
        return RPCResponseStream(client: self, request: request, timeout: timeout, repetition: repetition)
    }

    /// Closes the connection. Open calls end with UNAVAILABLE, new ones are refused.
    package func shutdown() async {
        let promise = mailbox.eventLoop.makePromise(of: Void.self)
        mailbox.post(.shutDown(promise))
        try? await promise.futureResult.get()
    }

    func deadline(after timeout: Duration?) -> NIODeadline? {
        timeout.map { mailbox.eventLoop.now + TimeAmount($0) }
    }
}
