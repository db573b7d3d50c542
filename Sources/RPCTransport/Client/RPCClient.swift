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
    ///   - random: Evenly distributed in 0..<1, drawn anew for each wait.
    package convenience init(
        addresses: [ServerAddress],
        options: RPCClientOptions = RPCClientOptions(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.init(
            addresses: addresses,
            options: options,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            connector: .sockets(options),
            random: random
        )
    }

    /// - Parameters:
    ///   - addresses: Where the service is.
    ///   - options: Limits and names.
    ///   - eventLoop: Where the client lives; its clock is the client's.
    ///   - connector: What opens connections.
    ///   - random: Evenly distributed in 0..<1, drawn anew for each wait.
    init(
        addresses: [ServerAddress],
        options: RPCClientOptions,
        eventLoop: any EventLoop,
        connector: Connector,
        random: @escaping @Sendable () -> Double
    ) {
        let core = ClientCore(
            addresses: addresses,
            options: options,
            eventLoop: eventLoop,
            connector: connector,
            random: random
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
    ///   - isRepeatable: Sending it twice does no more than sending it once.
    /// - Returns: The encoded response message.
    /// - Throws: The call's status. A cancelled task cancels the call.
    package func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata(),
        isRepeatable: Bool = false
    ) async throws(RPCError) -> ByteBuffer {
        let call = ClientCall(
            OutgoingRequest(method, .unary, request, metadata, isRepeatable: isRepeatable),
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
    /// task is cancelled, or when the iterator is dropped. It is sent again only as long as no message has come.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: How long the whole stream may take, all tries together; nil is no limit.
    ///   - metadata: Pairs that travel with the call.
    ///   - isRepeatable: Sending it twice does no more than sending it once.
    ///   - waitsForServer: Whether it waits for the next try while no server answers. Else it fails at once, and the
    ///     error tells when that is.
    /// - Returns: The encoded messages.
    package func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata(),
        isRepeatable: Bool = false,
        waitsForServer: Bool = true
    ) -> RPCResponseStream {
        let request = OutgoingRequest(
            method,
            .serverStreaming,
            request,
            metadata,
            isRepeatable: isRepeatable,
            waitsForServer: waitsForServer
        )
        return RPCResponseStream(client: self, request: request, timeout: timeout)
    }

    /// Servers that did not answer are tried again by the next call, or now if calls wait.
    package func connectNow() {
        mailbox.post(.connectNow)
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
