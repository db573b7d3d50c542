internal import Framing
internal import MarvelDomain
internal import NIOCore
internal import RPCClient
internal import RPCCore
internal import WireMessages

/// A connection of the simulated network, and its client's end: what either side sends arrives in order, after times that
/// vary, or not at all when the connection is lost.
final class SimulatedLink {
    /// The messages of each stream that may be on their way.
    private static let window: UInt32 = 4

    private let scheduler: SeededScheduler
    private weak var server: SimulatedSocket?
    private weak var client: SimulatedChannel?
    private var framing = ClientFraming(HelloMessage(version: 1, software: "simulator", initialCredit: window))
    private var calls: [StreamID: SimulatedCall] = [:]
    /// The time at which the last bytes in each direction arrive.
    private var lastAtServer = NIODeadline.uptimeNanoseconds(0)
    private var lastAtClient = NIODeadline.uptimeNanoseconds(0)
    private(set) var isLost = false
    /// Whether what the server sends waits, because its client does not read.
    var isStalled = false
    private var stalled: [ByteBuffer?] = []

    init(on scheduler: SeededScheduler, _ server: SimulatedSocket, _ client: SimulatedChannel) {
        self.scheduler = scheduler
        self.server = server
        self.client = client
        flush()
    }

    // MARK: Calls

    func begin(
        _ method: MethodPath,
        _ kind: RPCMethod.Kind,
        _ request: ByteBuffer,
        timeout: Duration?
    ) throws(RPCError) -> SimulatedCall {
        guard case .send(let id) = framing.openCall(kind) else { throw .unreachable }
        let call = SimulatedCall(id, on: self)
        calls[id] = call
        let envelope = RequestEnvelope(
            service: method.service,
            method: method.method,
            payload: request,
            timeoutNanoseconds: timeout.map { TimeAmount($0).nanoseconds } ?? 0
        )
        let flags: FrameFlags = kind == .unary ? [] : .remoteClosed
        framing.outbound.writeFrame(.request, on: id, flags: flags, data: envelope.encoded())
        flush()
        return call
    }

    /// Grants a stream another message.
    func grant(_ call: SimulatedCall) {
        guard calls[call.id] === call else { return }
        framing.outbound.writeCreditFrame(1, on: call.id)
        flush()
    }

    func cancel(_ call: SimulatedCall, _ error: RPCError) {
        guard calls[call.id] === call else { return }
        framing.abandon(call.id)
        flush()
        end(call.id, .failure(error))
    }

    private func end(_ id: StreamID, _ result: Result<Void, RPCError>) {
        calls.removeValue(forKey: id)?.end(result)
    }

    private func received(_ bytes: ByteBuffer) {
        framing.receive(bytes)
        do {
            while let event = try framing.nextEvent() { received(event) }
        } catch {
            preconditionFailure("a server broke the protocol: \(error)")
        }
        flush()
    }

    private func received(_ event: ClientConnectionEvent) {
        switch event {
        case .ready(let maximum): framing.limitCalls(to: maximum)
        case .answer(let id, let message): received(message, isLast: true, on: id)
        case .message(let id, let message, let isLast): received(message, isLast: isLast, on: id)
        case .end(let id): end(id, .success(()))
        case .failure(let id, let error): end(id, .failure(error))
        case .goAway(_, let dropped):
            client?.left(self)
            for id in dropped { end(id, .failure(.unreachable)) }
        }
    }

    private func received(_ message: ByteBuffer, isLast: Bool, on id: StreamID) {
        guard let call = calls[id], let client else { return }
        call.received(client.changed(message))
        if isLast { end(id, .success(())) }
    }

    // MARK: The network

    private func flush() {
        guard !isLost, framing.outbound.readableBytes > 0 else { return }
        let bytes = framing.outbound
        framing.outbound = ByteBuffer()
        framing.pongSent()
        lastAtServer = arrival(after: lastAtServer)
        scheduler.at(lastAtServer) { [self] in
            if !isLost { server?.received(bytes) }
        }
    }

    func sendToClient(_ bytes: ByteBuffer) { sendToClient(.some(bytes)) }

    /// Closes the connection behind what was sent.
    func closeToClient() { sendToClient(nil) }

    private func sendToClient(_ bytes: ByteBuffer?) {
        guard !isLost else { return }
        lastAtClient = arrival(after: lastAtClient)
        scheduler.at(lastAtClient) { [self] in
            if isStalled { stalled.append(bytes) } else { deliver(bytes) }
        }
    }

    private func deliver(_ bytes: ByteBuffer?) {
        guard !isLost else { return }
        guard let bytes else { return lose() }
        received(bytes)
    }

    /// Lets what waited arrive.
    func goOn() {
        isStalled = false
        let waiting = stalled
        stalled = []
        for bytes in waiting { deliver(bytes) }
    }

    /// Loses the connection, with everything on its way. Both sides notice, each at its time.
    func lose() {
        guard !isLost else { return }
        isLost = true
        scheduler.after(scheduler.time(0...3_000)) { [self] in server?.lost() }
        scheduler.after(scheduler.time(0...3_000)) { [self] in
            client?.left(self)
            for id in framing.connectionClosed() { end(id, .failure(.connectionLost)) }
        }
    }

    private func arrival(after last: NIODeadline) -> NIODeadline {
        max(last, scheduler.now + TimeAmount(scheduler.time(50...2_000)))
    }
}

extension RPCError {
    fileprivate static let connectionLost = RPCError(
        .unavailable,
        reason: .connectionLost,
        "the connection was lost",
        metadata: [reachedServerKey: "maybe"]
    )

    static let unreachable = RPCError(
        .unavailable,
        reason: .serverUnreachable,
        "no server answers",
        metadata: [reachedServerKey: "no"]
    )
}
