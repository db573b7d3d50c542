internal import Framing
internal import NIOCore
internal import NIOPosix
internal import RPCCore
internal import Synchronization

/// One call between two worlds: the connection delivers on its event loop, the reader takes in its task.
///
/// Delivery never waits for the reader. What a reader does not take is bounded by credit, and by `maximumWaitingBytes`
/// where the server knows no credit.
final class ClientCall: Sendable {
    /// Where the call is on its way out.
    enum Phase {
        case notSent
        /// In the connection's queue, for one of the open calls to end.
        case waiting(ClientChannel)
        case open(ClientChannel, StreamID)
        case ended
    }

    private struct State {
        var phase = Phase.notSent
        var mayHaveBeenSeen = false
        var messages: [ByteBuffer] = []
        var waitingBytes = 0
        var takenSinceGrant: UInt32 = 0
        /// How the call ended; told to the reader after the messages before it.
        var end: Result<Void, RPCError>?
        var reader: CheckedContinuation<Result<ByteBuffer?, RPCError>, Never>?
        var deadlineTimer: Scheduled<Void>?
        var opening: Task<Void, Never>?
    }

    let request: OutgoingRequest
    let deadline: NIODeadline?
    private let options: RPCClientOptions
    private let state = Mutex(State())

    init(_ request: OutgoingRequest, deadline: NIODeadline?, options: RPCClientOptions) {
        self.request = request
        self.options = options
        self.deadline = deadline
    }

    /// Whether the server can have begun it. Once sent, only the server's own word says that it has not.
    var mayHaveBeenSeen: Bool { state.withLock { $0.mayHaveBeenSeen } }

    // MARK: The reader's side

    /// Sends the call, opening a connection first if there is none.
    func start(on client: RPCClient) {
        if let deadline {
            let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(deadline: deadline) { [weak self] in
                if let self { abandon(.deadlineExceeded) }
            }
            state.withLock { $0.deadlineTimer = timer }
        }
        if let channel = client.openChannel { return channel.send(self) }
        let opening = Task { [self] in
            do throws(RPCError) {
                try await client.channel().send(self)
            } catch {
                finish(.failure(error))
            }
        }
        state.withLock { $0.opening = opening }
    }

    /// The next message, or nil at the end of the stream. One reader at a time.
    func next() async throws(RPCError) -> ByteBuffer? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in wait(continuation) }
        } onCancel: {
            abandon(RPCError(.cancelled, "the caller cancelled the call"))
        }
        return try result.get()
    }

    private func wait(_ continuation: CheckedContinuation<Result<ByteBuffer?, RPCError>, Never>) {
        enum Next {
            case resume(Result<ByteBuffer?, RPCError>, grant: (ClientChannel, StreamID, UInt32)?)
            case wait
        }
        let next = state.withLock { state -> Next in
            if !state.messages.isEmpty {
                let message = state.messages.removeFirst()
                state.waitingBytes -= message.readableBytes
                return .resume(.success(message), grant: grant(&state))
            }
            if let end = state.end { return .resume(end.map { nil }, grant: nil) }
            state.reader = continuation
            return .wait
        }
        guard case .resume(let result, let grant) = next else { return }
        if let (channel, id, count) = grant { channel.grant(count, on: id) }
        continuation.resume(returning: result)
    }

    /// Half the window at a time: often enough that the server never waits for a reader that keeps up.
    private func grant(_ state: inout State) -> (ClientChannel, StreamID, UInt32)? {
        guard request.kind == .serverStreaming, case .open(let channel, let id) = state.phase else { return nil }
        state.takenSinceGrant += 1
        guard state.takenSinceGrant >= max(options.streamWindow / 2, 1) else { return nil }
        defer { state.takenSinceGrant = 0 }
        return (channel, id, state.takenSinceGrant)
    }

    /// The reader wants nothing more, or its time is up: the server is told to stop.
    func abandon(_ error: RPCError) {
        switch end(.failure(error)) {
        case .open(let channel, let id): channel.abandon(id)
        case .waiting(let channel): channel.withdraw(self)
        case .notSent, .ended: break
        }
    }

    // MARK: The connection's side

    /// The call's stream is open.
    ///
    /// - Returns: false if the caller has given up meanwhile: send nothing.
    func opened(on channel: ClientChannel, as id: StreamID) -> Bool {
        state.withLock { state in
            switch state.phase {
            case .notSent, .waiting:
                state.phase = .open(channel, id)
                state.mayHaveBeenSeen = true
                return true
            case .open, .ended:
                return false
            }
        }
    }

    /// The call waits for a stream.
    ///
    /// - Returns: false if the caller has given up meanwhile: do not keep it.
    func queued(on channel: ClientChannel) -> Bool {
        state.withLock { state in
            guard case .notSent = state.phase else { return false }
            state.phase = .waiting(channel)
            return true
        }
    }

    var isWanted: Bool {
        state.withLock { state in
            if case .ended = state.phase { return false }
            return true
        }
    }

    func deliver(_ message: ByteBuffer) {
        enum Outcome {
            case handOver(CheckedContinuation<Result<ByteBuffer?, RPCError>, Never>, (ClientChannel, StreamID, UInt32)?)
            case kept
            case tooMuch
        }
        let outcome = state.withLock { state -> Outcome in
            guard state.end == nil else { return .kept }
            if let reader = state.reader {
                state.reader = nil
                return .handOver(reader, grant(&state))
            }
            guard state.waitingBytes + message.readableBytes <= options.maximumWaitingBytes else { return .tooMuch }
            state.waitingBytes += message.readableBytes
            state.messages.append(message)
            return .kept
        }
        switch outcome {
        case .handOver(let reader, let grant):
            if let (channel, id, count) = grant { channel.grant(count, on: id) }
            reader.resume(returning: .success(message))
        case .kept:
            break
        case .tooMuch:
            abandon(
                RPCError(
                    .resourceExhausted,
                    reason: "READER_TOO_SLOW",
                    "more than \(options.maximumWaitingBytes) bytes of the stream wait to be read",
                    metadata: ["maximum": "\(options.maximumWaitingBytes)"]
                )
            )
        }
    }

    /// The server never began the call: it says so, or the call never left.
    func fail(unseen error: RPCError) {
        state.withLock { $0.mayHaveBeenSeen = false }
        finish(.failure(error))
    }

    /// The call is over. Only the first end counts; messages that came before it are still read.
    func finish(_ end: Result<Void, RPCError>) {
        _ = self.end(end)
    }

    /// - Returns: Where the call was when it ended.
    private func end(_ end: Result<Void, RPCError>) -> Phase {
        let last = state.withLock { state in
            let last = state
            state.phase = .ended
            state.reader = nil
            state.deadlineTimer = nil
            state.opening = nil
            if state.end == nil { state.end = end }
            return last
        }
        last.deadlineTimer?.cancel()
        last.opening?.cancel()
        last.reader?.resume(returning: end.map { nil })
        return last.phase
    }
}
