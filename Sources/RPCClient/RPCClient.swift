package import NIOCore
internal import NIOPosix
package import RPCCore

/// A client for the methods of a service that listens on one or more addresses.
///
/// One connection carries all calls. It is opened with the first call. If it is lost, it is opened again, perhaps to
/// another address, and calls that are safe to repeat are repeated. A client without calls costs a few objects, but no
/// thread and no task.
package final class RPCClient: Sendable {
    let options: RPCClientOptions
    let mailbox: ClientMailbox

    /// - Parameters:
    ///   - servers: The servers of the service. They are tried in an order of chance, the last good one first.
    ///   - security: The protection of the connections to servers that ask for one.
    ///   - options: Limits and names.
    package init(
        servers: [ServerEndpoint],
        security: ClientSecurity = .unavailable,
        options: RPCClientOptions = RPCClientOptions()
    ) {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let core = ClientCore(
            servers: servers,
            options: options,
            eventLoop: eventLoop,
            connector: .sockets(options, security: security),
            random: { .random(in: 0..<1) }
        )
        self.options = options
        self.mailbox = ClientMailbox(eventLoop: eventLoop, core: .makeBoxSendingValue(core, eventLoop: eventLoop))
    }

    /// Makes a client of servers without TLS.
    package convenience init(addresses: [ServerAddress], options: RPCClientOptions = RPCClientOptions()) {
        self.init(servers: addresses.map { ServerEndpoint($0) }, options: options)
    }

    deinit {
        mailbox.post(.shutDown(nil))
    }

    /// Calls a method that returns one message.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: The caller's timeout, over all attempts; nil leaves it to the server (10 s). It is sent with the
    ///     call.
    ///   - metadata: Pairs that are sent with the call.
    ///   - isRepeatable: Whether sending it twice has the same effect as sending it once.
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
            OutgoingRequest(
                method: method,
                kind: .unary,
                payload: request,
                metadata: metadata,
                isRepeatable: isRepeatable
            ),
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
    /// task is cancelled, or when the iterator is released. It is retried only while no message has arrived.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: The timeout of the whole stream, over all attempts; nil is no limit.
    ///   - metadata: Pairs that are sent with the call.
    ///   - isRepeatable: Whether sending it twice has the same effect as sending it once.
    ///   - waitsForServer: Whether it waits for the next attempt while no server answers. If not, it fails at once, and
    ///     the error holds the time of that attempt.
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
            method: method,
            kind: .serverStreaming,
            payload: request,
            metadata: metadata,
            isRepeatable: isRepeatable,
            waitsForServer: waitsForServer
        )
        return RPCResponseStream(client: self, request: request, timeout: timeout)
    }

    /// Allows a new attempt at servers that did not answer: with the next call, or now if calls wait.
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
