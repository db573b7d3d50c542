internal import Framing
package import NIOCore
package import RPCCore
internal import Synchronization

/// Calls methods over one connection, which it opens when it is needed and opens again when it was lost.
///
/// A call that fails in a way that may pass is sent again, if that is safe, within its caller's time.
package final class RPCClient: Sendable {
    private enum Connection {
        /// None, or one that takes no more calls.
        case none
        case connecting(Task<ClientChannel, any Error>)
        case open(ClientChannel)
        case shutDown
    }

    private struct State {
        var connection = Connection.none
        var addresses: AddressBook
        var budget = RetryBudget()
    }

    package let addresses: [ServerAddress]
    let options: RPCClientOptions
    private let random: @Sendable () -> Double
    private let state: Mutex<State>

    /// - Parameters:
    ///   - addresses: Where the server is. They are tried in order, beginning with the one that worked last.
    ///   - options: Limits and names.
    ///   - random: 0 to 1, drawn anew for each wait.
    package init(
        addresses: [ServerAddress],
        options: RPCClientOptions = RPCClientOptions(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.addresses = addresses
        self.options = options
        self.random = random
        self.state = Mutex(State(addresses: AddressBook(addresses, backoff: options.reconnecting)))
    }

    /// Calls a method that answers once.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: How long the caller waits, repeats included; nil leaves it to the server (10 s). It travels along.
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
        let request = OutgoingRequest(method, .unary, request, timeout, metadata, isRepeatable: isRepeatable)
        let stream = RPCResponseStream(client: self, request: request)
        guard let message = try await stream.makeAsyncIterator().next() else {
            throw RPCError(.internalError, "the server ended the call without an answer")
        }
        return message
    }

    /// Calls a method that answers with a stream of messages.
    ///
    /// Nothing is sent before the first message is asked for. The call ends with the stream, with an error, when the
    /// task is cancelled, or when the iterator is dropped. It is sent again only as long as no message has come.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: How long the whole stream may take; nil is no limit.
    ///   - metadata: Pairs that travel with the call.
    ///   - isRepeatable: Sending it twice does no more than sending it once.
    /// - Returns: The encoded messages.
    package func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata(),
        isRepeatable: Bool = false
    ) -> RPCResponseStream {
        let request = OutgoingRequest(method, .serverStreaming, request, timeout, metadata, isRepeatable: isRepeatable)
        return RPCResponseStream(client: self, request: request)
    }

    /// Closes the connection. Open calls end with UNAVAILABLE, new ones are refused.
    package func shutdown() async {
        let previous = state.withLock { state in
            defer { state.connection = .shutDown }
            return state.connection
        }
        switch previous {
        case .none, .shutDown:
            break
        case .open(let channel):
            await channel.close()
        case .connecting(let task):
            task.cancel()
            if let channel = try? await task.value { await channel.close() }
        }
    }

    // MARK: Repeats

    /// How long to wait before sending a failed call again; nil if it is not to be sent again.
    func retryDelay(after failure: RetryPolicy.Failure) -> Duration? {
        guard let retries = options.retries, RetryPolicy.isPassing(failure.error) else { return nil }
        let isAllowed = state.withLock { $0.budget.callFailed() }
        return isAllowed ? retries.delay(after: failure, random: random()) : nil
    }

    func callSucceeded() {
        guard options.retries != nil else { return }
        state.withLock { $0.budget.callSucceeded() }
    }

    // MARK: The connection

    /// The connection that is open and takes calls, if there is one.
    var openChannel: ClientChannel? {
        state.withLock { state in
            guard case .open(let channel) = state.connection, channel.acceptsCalls else { return nil }
            return channel
        }
    }

    /// A connection to make a call on, opened if need be. Callers that come meanwhile share the attempt.
    func channel() async throws(RPCError) -> ClientChannel {
        if let openChannel { return openChannel }
        let attempt = state.withLock { state -> Task<ClientChannel, any Error>? in
            switch state.connection {
            case .connecting(let task):
                return task
            case .none, .open:
                let task = Task { try await self.connect() }
                state.connection = .connecting(task)
                return task
            case .shutDown:
                return nil
            }
        }
        guard let attempt else { throw RPCError(.cancelled, "the client was shut down") }
        do {
            return try await attempt.value
        } catch {
            throw error as? RPCError ?? RPCError(.unavailable, "no connection: \(error)")
        }
    }

    /// Tries every address whose turn it is, once.
    private func connect() async throws -> ClientChannel {
        while true {
            let next = state.withLock { $0.addresses.next(now: .now()) }
            guard case .connect(let address) = next else {
                state.withLock { state in
                    if case .connecting = state.connection { state.connection = .none }
                }
                throw unreachable(next)
            }
            do {
                let channel = try await ClientChannel.open(address, options) { [weak self] goAway in
                    self?.serverStopping(at: address, goAway)
                }
                let isWanted = adopt(channel, address)
                if !isWanted { await channel.close() }
                return channel
            } catch {
                let random = random()
                state.withLock { $0.addresses.connectFailed(address, now: .now(), random: random) }
            }
        }
    }

    private func adopt(_ channel: ClientChannel, _ address: ServerAddress) -> Bool {
        state.withLock { state in
            guard case .connecting = state.connection else { return false }
            state.connection = .open(channel)
            state.addresses.connected(address)
            return true
        }
    }

    private func serverStopping(at address: ServerAddress, _ goAway: ServerGoAway) {
        let back = NIODeadline.now() + TimeAmount(goAway.retryAfter)
        state.withLock { $0.addresses.serverStopping(at: address, until: back, alternatives: goAway.alternatives) }
    }

    private func unreachable(_ next: AddressBook.Next) -> RPCError {
        let places = addresses.map(\.description).joined(separator: ", ")
        var error = RPCError(
            .unavailable,
            reason: "SERVER_UNREACHABLE",
            "no server answers at \(places)",
            metadata: ["addresses": places]
        )
        if case .wait(let time) = next {
            error.details.append(.retryInfo(.nanoseconds(max((time - .now()).nanoseconds, 0))))
        }
        return error
    }
}
