package import NIOCore
package import RPCCore
internal import Synchronization

/// What a client holds itself and its server to.
package struct RPCClientOptions: Sendable {
    /// Told to the server in Hello.
    package var software = "marvel-rpc-swift"
    /// How long one address may take to accept a connection.
    package var connectTimeout = Duration.seconds(3)
    /// Messages of one stream that may wait here for their reader: the credit that the server starts with.
    package var streamWindow: UInt32 = 16
    /// Bytes of one stream that may wait here, for servers that know no credit. More, and the call fails.
    package var maximumWaitingBytes = 16 * 1024 * 1024
    /// The largest frame that is taken in, in bytes.
    package var maximumFrameLength = 4 * 1024 * 1024

    package init() {}
}

/// Calls methods over one connection, which it opens when it is needed and opens again when it was lost.
package final class RPCClient: Sendable {
    private enum State {
        /// No connection, or one that takes no more calls.
        case idle
        case connecting(Task<ClientChannel, any Error>)
        case connected(ClientChannel)
        case shutDown
    }

    package let addresses: [ServerAddress]
    private let options: RPCClientOptions
    private let state = Mutex(State.idle)

    /// - Parameters:
    ///   - addresses: Where the server is. They are tried in order; the first that answers is used.
    ///   - options: Limits and names.
    package init(addresses: [ServerAddress], options: RPCClientOptions = RPCClientOptions()) {
        self.addresses = addresses
        self.options = options
    }

    /// Calls a method that answers once.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: How long the caller waits; nil leaves it to the server (10 s). It travels with the call.
    ///   - metadata: Pairs that travel with the call.
    /// - Returns: The encoded response message.
    /// - Throws: The call's status. A cancelled task cancels the call.
    package func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata()
    ) async throws(RPCError) -> ByteBuffer {
        let request = OutgoingRequest(method, .unary, request, timeout, metadata)
        let stream = RPCResponseStream(client: self, request: request, options: options)
        guard let message = try await stream.makeAsyncIterator().next() else {
            throw RPCError(.internalError, "the server ended the call without an answer")
        }
        return message
    }

    /// Calls a method that answers with a stream of messages.
    ///
    /// Nothing is sent before the first message is asked for. The call ends with the stream, with an error, when the
    /// task is cancelled, or when the iterator is dropped.
    ///
    /// - Parameters:
    ///   - method: The method's full name.
    ///   - request: The encoded request message.
    ///   - timeout: How long the whole stream may take; nil is no limit.
    ///   - metadata: Pairs that travel with the call.
    /// - Returns: The encoded messages.
    package func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata()
    ) -> RPCResponseStream {
        let request = OutgoingRequest(method, .serverStreaming, request, timeout, metadata)
        return RPCResponseStream(client: self, request: request, options: options)
    }

    /// Closes the connection. Open calls end with UNAVAILABLE, new ones are refused.
    package func shutdown() async {
        let previous = state.withLock { state in
            defer { state = .shutDown }
            return state
        }
        switch previous {
        case .idle, .shutDown:
            break
        case .connected(let channel):
            await channel.close()
        case .connecting(let task):
            task.cancel()
            if let channel = try? await task.value { await channel.close() }
        }
    }

    // MARK: The connection

    /// The connection that is open and takes calls, if there is one.
    var openChannel: ClientChannel? {
        state.withLock { state in
            guard case .connected(let channel) = state, channel.acceptsCalls else { return nil }
            return channel
        }
    }

    /// A connection to make a call on, opened if need be. Callers that come meanwhile share the attempt.
    func channel() async throws(RPCError) -> ClientChannel {
        if let openChannel { return openChannel }
        let attempt = state.withLock { state -> Task<ClientChannel, any Error>? in
            switch state {
            case .connecting(let task):
                return task
            case .idle, .connected:
                let task = Task { try await self.connect() }
                state = .connecting(task)
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

    /// Tries every address once.
    private func connect() async throws -> ClientChannel {
        for address in addresses {
            guard let channel = try? await ClientChannel.open(address, options) else { continue }
            let isWanted = adopt(channel)
            if !isWanted { await channel.close() }
            return channel
        }
        state.withLock { state in
            if case .connecting = state { state = .idle }
        }
        let places = addresses.map(\.description).joined(separator: ", ")
        throw RPCError(
            .unavailable,
            reason: "SERVER_UNREACHABLE",
            "no server answers at \(places)",
            metadata: ["addresses": places]
        )
    }

    private func adopt(_ channel: ClientChannel) -> Bool {
        state.withLock { state in
            guard case .connecting = state else { return false }
            state = .connected(channel)
            return true
        }
    }
}
