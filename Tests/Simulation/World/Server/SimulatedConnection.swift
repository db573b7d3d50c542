internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A server's side of a connection: it gives the events of the network to a `CallRunner`, and carries out its actions, as
/// every wire does.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedConnection: @unchecked Sendable {
    let loop: SimulatedEventLoop
    private let scheduler: SeededScheduler
    private unowned let server: SimulatedServer
    private let fault: PlantedFault?
    private var runner = CallRunner(creditTimeout: .seconds(30))
    private var link: SimulatedLink?
    /// The functions that cancel the work of calls.
    private var work: [StreamID: Cancellation] = [:]
    /// The functions that end the registrations with logs.
    private var listening: [ObjectIdentifier: Cancellation] = [:]
    private var isTurnScheduled = false
    private var isRunnerBusy = false
    private var isClosed = false

    private struct Cancellation {
        let run: @Sendable () -> Void
    }

    init(to server: SimulatedServer, on scheduler: SeededScheduler, fault: PlantedFault?) {
        self.server = server
        self.scheduler = scheduler
        self.fault = fault
        loop = SimulatedEventLoop(on: scheduler)
    }

    /// Whether no call is open and no work runs.
    var isIdle: Bool { runner.isEmpty && work.isEmpty }

    func connect(_ link: SimulatedLink) { self.link = link }

    // MARK: Events

    func received(_ event: ClientWireEvent) {
        guard !isClosed else { return }
        switch event {
        case .request(let id, let path, let payload, let deadline, let credit):
            begin(id, path, payload, deadline, credit)
        case .grant(let id, let count): runner.grant(count, to: id)
        case .cancel(let id): runner.cancel(id)
        }
        turn()
    }

    private func begin(
        _ id: StreamID,
        _ path: MethodPath,
        _ payload: ByteBuffer,
        _ deadline: NIODeadline?,
        _ credit: CallCredit
    ) {
        guard let method = server.method(path) else {
            return reject(id, RPCError(.unimplemented, "no such method"))
        }
        guard !method.isWatch || !runner.isDraining else { return reject(id, Refusal.draining.error) }
        let call = IncomingCall(payload: payload, deadline: deadline)
        isRunnerBusy = true
        let answer = runner.begin(id, method, call, wantsStream: true, credit: credit, now: loop.now)
        isRunnerBusy = false
        if let answer { send(.message(id, answer.bytes, isLast: true)) }
    }

    /// Tells the client to go to another server, and ends the calls that would not end by themselves.
    func drain() {
        guard !isClosed else { return }
        send(.goAway)
        runner.drain()
        turn()
    }

    func endDrain() {
        guard !isClosed else { return }
        runner.endDrain()
        turn()
        link?.lose()
    }

    func closed() {
        guard !isClosed else { return }
        isClosed = true
        runner.connectionClosed()
        performActions()
    }

    /// Ends as a crash of the server does: nothing is told to anybody.
    func crash() {
        isClosed = true
        for cancellation in listening.values { cancellation.run() }
        link?.lose()
    }

    // MARK: Turns

    private func turn() {
        performActions()
        while runner.hasReadyCalls, !isClosed {
            // The socket takes no more: later.
            if scheduler.happens(10) { return scheduleTurn() }
            isRunnerBusy = true
            let message = runner.sendNext(now: loop.now)
            isRunnerBusy = false
            if let message { send(message) }
            performActions()
        }
    }

    private func scheduleTurn() {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        loop.perform { [self] in
            isTurnScheduled = false
            if !isClosed { turn() }
        }
    }

    private func performActions() {
        while let action = runner.nextAction() { perform(action) }
        runner.turnEnded(now: loop.now)
        _ = runner.takeEnded()
    }

    private func perform(_ action: CallAction) {
        switch action {
        case .respond(let id, let message): send(.message(id, message.bytes, isLast: true))
        case .send(let message): send(message)
        case .endStream(let id): send(.end(id))
        case .reject(let id, let error), .fail(let id, let error, because: _, isOver: _): reject(id, error)
        case .startWork(let work): start(work)
        case .stopWork(let id): work[id]?.run()
        case .listen(let log): listen(to: log)
        case .stopListening(let log): listening.removeValue(forKey: ObjectIdentifier(log))?.run()
        case .checkTime(let time):
            scheduler.at(time) { [weak self] in
                guard let self, !isClosed else { return }
                loop.perform { self.timePassed() }
            }
        case .over: break
        }
    }

    private func timePassed() {
        guard !isClosed else { return }
        runner.timePassed(now: loop.now)
        if let next = runner.nextCheck, next <= loop.now { scheduleTurn() }
        turn()
    }

    // MARK: Answers

    private func send(_ message: StreamMessage) {
        send(.message(message.id, message.message.bytes, isLast: message.isLast))
    }

    private func reject(_ id: StreamID, _ error: RPCError) { send(.error(id, error.encodedStatus())) }

    private func send(_ event: ServerWireEvent) {
        if !isClosed { link?.send(event) }
    }

    // MARK: Work

    private func start(_ work: CallWork) {
        switch work.kind {
        case .task(let run):
            let task = CallDeadline.$current.withValue(work.deadline) {
                loop.start { [weak self] in
                    let result: Result<Step, RPCError>
                    do throws(RPCError) {
                        result = .success(try await run())
                    } catch {
                        result = .failure(error)
                    }
                    self?.finished(work.id, result)
                }
            }
            self.work[work.id] = Cancellation { task.cancel() }
        case .pending(let step):
            let cancel = step.begin { [weak self, loop] arrived in
                loop.perform { [weak self] in
                    self?.finished(work.id, Result { () throws(RPCError) in try arrived() })
                }
            }
            self.work[work.id] = Cancellation(run: cancel)
        }
    }

    private func finished(_ id: StreamID, _ result: Result<Step, RPCError>) {
        work[id] = nil
        runner.workFinished(id, result)
        scheduleTurn()
    }

    // MARK: Logs

    private func listen(to log: any MessageLog) {
        let waker = Waker(on: loop) { [weak self] in self?.messagesAppended(to: log) }
        listening[ObjectIdentifier(log)] = Cancellation(run: log.listen(waker))
        messagesAppended(to: log)
    }

    private func messagesAppended(to log: any MessageLog) {
        guard !isClosed else { return }
        if fault == .lostWakeUp, scheduler.happens(10) { return }
        guard !isRunnerBusy else { return loop.perform { [weak self] in self?.messagesAppended(to: log) } }
        if runner.messagesAppended(to: log) { scheduleTurn() }
    }
}

extension OutgoingMessage {
    /// The message's bytes.
    fileprivate var bytes: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.write(byteCount: byteCount) { write(to: &$0) }
        return bytes
    }
}
