internal import MarvelDomain
package import NIOCore
package import RPCCore
internal import Synchronization

/// The calls of one connection: their runner, and those of its actions that are the same on every wire.
///
/// Everything runs on the connection's event loop. The wire owns this object, and passes itself with each event: what runs
/// later then holds the wire, and this object is reached through it.
package final class ConnectionCalls {
    package var runner: CallRunner {
        _read { yield storedRunner }
        _modify {
            isRunnerBusy = true
            defer { isRunnerBusy = false }
            yield &storedRunner
        }
    }
    private var storedRunner: CallRunner
    /// Whether the runner is at work. Code that it calls may append to a log that this connection reads, and the waker
    /// must not access the runner then.
    private var isRunnerBusy = false
    let callers: ConnectionCallers
    private let eventLoop: any EventLoop
    private let counters: EventCounters
    private let unaryTimeout: TimeAmount
    private let tasks: CallTasks
    private let ended: EndedCalls
    private var isTurnScheduled = false
    /// Whether work has ended in this turn, perhaps that of a call that was answered or cancelled before.
    private var hasWorkEnded = false
    /// The bytes of requests that work in progress holds.
    private var workingByteCount = 0
    /// The bytes of requests that calls hold: those of work in progress, and those that wait.
    var requestByteCount: Int { workingByteCount + runner.waitingByteCount }
    /// The calls that were refused since the last one that began, while no other call was open.
    private var refusals = CallerLimits.rejections
    /// Those of them that were refused while other calls were open.
    private var refusalsBesideCalls = ConnectionCalls.noRefusalsBesideCalls
    private var hasRefused = false
    private static let noRefusalsBesideCalls = RateLimit(
        count: 10 * CallerLimits.rejections.count,
        window: CallerLimits.rejections.window
    )
    /// The ends of the registrations with the logs that calls read, by the logs' identity.
    private var listening: [ObjectIdentifier: EndOfListening] = [:]
    private typealias EndOfListening = @Sendable () -> Void

    package init(of server: ServerContext, on channel: any Channel) {
        eventLoop = channel.eventLoop
        counters = server.counters(of: eventLoop)
        callers = ConnectionCallers(of: server, on: channel, counters: counters)
        ended = EndedCalls(of: server, on: channel)
        unaryTimeout = server.unaryTimeout
        storedRunner = CallRunner(creditTimeout: server.configuration.limits.creditTimeout)
        tasks = CallTasks(on: eventLoop, counters: counters)
    }

    /// Begins a call, as `CallRunner.begin` does. A request that begins none is rejected on the wire.
    ///
    /// - Parameters:
    ///   - id: The call's stream.
    ///   - request: The request.
    ///   - caller: Its caller, who may call the method; nil if that was not found out before.
    ///   - credit: The messages that a stream may send at first.
    ///   - hasMoreRequests: Whether further requests may follow.
    ///   - wire: The connection.
    /// - Returns: Its only answer, if it has one at once. Otherwise nil, and what there is to do is done.
    package func begin(
        _ id: StreamID,
        _ request: consuming CallRequest,
        by caller: RequestCaller? = nil,
        credit: CallCredit,
        hasMoreRequests: Bool = false,
        on wire: any WireConnection
    ) -> (any OutgoingMessage)? {
        let asking: RequestCaller
        let deadline: NIODeadline?
        do throws(CallRefusal) {
            if let caller {
                asking = try callers.authenticateAgain(caller, of: request, now: wire.now)
            } else {
                asking = try callers.authenticate(request.metadata, now: wire.now)
                try callers.check(asking, mayCall: request.method)
            }
            deadline = try accept(request, of: asking, now: wire.now)
        } catch {
            rejected(id, request, error, on: wire)
            return nil
        }
        if hasRefused { forgetRefusals() }
        let (method, wantsStream) = (request.method, request.wantsStream)
        let call = IncomingCall(request, of: asking, deadline: deadline)
        let answer = runner.begin(
            id,
            method,
            call,
            wantsStream: wantsStream,
            credit: credit,
            hasMoreRequests: hasMoreRequests,
            now: wire.now
        )
        guard let answer else {
            performActions(on: wire)
            return nil
        }
        ended.append(
            EndedCall(
                method,
                call.system,
                startedAt: wire.now,
                byteCount: answer.byteCount,
                principal: call.principal,
                trace: TraceParent(call.metadata)
            )
        )
        return answer
    }

    /// Notes that the wire sends an error in place of the last answer of a call, which it was just given.
    func answerReplaced(on id: StreamID, by error: RPCError) {
        if !runner.answerReplaced(on: id, by: error) { ended.lastAnswerReplaced(by: error) }
    }

    // MARK: Refused calls

    /// Finds out the caller of a request that the wire refuses, as its head could not be read before its fault was.
    ///
    /// - Parameters:
    ///   - error: The error of the request.
    ///   - metadata: What travelled with it.
    ///   - now: The time of its arrival.
    /// - Returns: The refusal, which is another one if the caller may make no call.
    func refusal(_ error: RPCError, _ metadata: Metadata, now: NIODeadline) -> CallRefusal {
        do throws(CallRefusal) {
            return try refusal(error, of: callers.authenticate(metadata, now: now))
        } catch {
            return error
        }
    }

    /// Returns the refusal of a caller's request. Strangers must not know what exists.
    func refusal(_ error: RPCError, of caller: RequestCaller) -> CallRefusal {
        let hides = error.reason == .methodUnknown && caller.principal.proof == Principal.Proof.none
        return CallRefusal(error: hides ? .methodUnknown : error, principal: caller.principal)
    }

    /// Notes a call that is over before it began. The wire calls `endIfRefused` when it has answered a refused one.
    ///
    /// - Parameters:
    ///   - method: The method, as far as it is known.
    ///   - system: The protocol by which the call arrived.
    ///   - error: The error with which it is refused; nil if it asked nothing, and so is answered with nothing.
    ///   - principal: The caller, if that is known.
    ///   - now: The time of its arrival.
    ///   - metadata: What travelled with it.
    func noteEnded(
        _ method: RPCMethod?,
        _ system: RPCSystem,
        _ error: RPCError?,
        of principal: Principal?,
        now: NIODeadline,
        metadata: Metadata
    ) {
        let trace = TraceParent(metadata)
        ended.append(EndedCall(method, system, startedAt: now, error: error, principal: principal, trace: trace))
    }

    /// Ends a connection that only errs: no call began, and so many were refused that its client does not heed what it is told.
    /// To be called after the answer to each.
    ///
    /// Callers who share the connection through a proxy lose their calls too. While there are some, ten times as many may be
    /// refused.
    ///
    /// - Parameters:
    ///   - error: The error of the refused call; nil if the answer was no error of a call.
    ///   - wire: The connection.
    package func endIfRefused(_ error: RPCError?, on wire: any WireConnection) {
        switch error?.reason {
        // Neither is the caller's fault alone.
        case .draining?, .deadlineExceeded?: return
        default: break
        }
        hasRefused = true
        if runner.runningCount == 0, !wire.hasWaitingRequests {
            guard refusals.isExceeded(now: wire.now) else { return }
            wire.end(because: .tooManyRejections(refusals.count))
        } else {
            guard refusalsBesideCalls.isExceeded(now: wire.now) else { return }
            wire.end(because: .tooManyRejections(refusalsBesideCalls.count))
        }
    }

    private func forgetRefusals() {
        hasRefused = false
        refusals = CallerLimits.rejections
        refusalsBesideCalls = Self.noRefusalsBesideCalls
    }

    /// Counts the calls that have ended in this turn, and notes when the others sent their messages. The wire calls it before it
    /// flushes.
    package func countEnded(on wire: any WireConnection) {
        let hasEnded = !ended.isEmpty || runner.hasEndedCalls || hasWorkEnded
        guard hasEnded || runner.hasSentMessages else { return }
        let now = eventLoop.now
        runner.turnEnded(now: now)
        guard hasEnded else { return }
        hasWorkEnded = false
        ended.count(and: &runner, now: now)
        wire.life.noteUse()
    }

    private func rejected(
        _ id: StreamID,
        _ request: borrowing CallRequest,
        _ refusal: CallRefusal,
        on wire: any WireConnection
    ) {
        let (error, principal) = (refusal.error, refusal.principal)
        noteEnded(request.method, request.system, error, of: principal, now: wire.now, metadata: request.metadata)
        wire.reject(id, error)
        endIfRefused(error, on: wire)
    }

    /// Returns the deadline of a request that may begin; nil for never.
    private func accept(
        _ request: borrowing CallRequest,
        of caller: borrowing RequestCaller,
        now: NIODeadline
    ) throws(CallRefusal) -> NIODeadline? {
        // Nothing but the end of the drain would end it.
        guard !request.method.isWatch || !runner.isDraining else {
            counters.count(.draining)
            throw CallRefusal(error: Refusal.draining.error, principal: caller.principal)
        }
        do throws(RPCError) {
            return try request.deadline(unaryTimeout: unaryTimeout, now: now)
        } catch {
            throw CallRefusal(error: error, principal: caller.principal)
        }
    }

    /// Carries out what the last events ask for. Answers go to the wire's buffer, which is sent at the end of the turn.
    package func performActions(on wire: any WireConnection) {
        while let action = runner.nextAction() { perform(action, on: wire) }
    }

    private func perform(_ action: consuming CallAction, on wire: any WireConnection) {
        switch consume action {
        case .respond(let id, let message): wire.respond(id, message)
        case .send(let message): wire.send(message)
        case .endStream(let id): wire.endStream(id)
        case .reject(let id, let error): wire.reject(id, error)
        case .fail(let id, let error, let event):
            if let event { counters.count(event) }
            wire.fail(id, error)
        case .startWork(let work, let call):
            workingByteCount += call.requestByteCount
            tasks.start(work, of: call, on: wire)
        case .stopWork(let call): call.cancelWork?()
        case .listen(let log): listen(to: log, on: wire)
        case .stopListening(let log): listening.removeValue(forKey: ObjectIdentifier(log))?()
        case .checkTime: wire.armTimer()
        }
    }

    /// Stops every call, because the connection is closed.
    package func connectionClosed(on wire: any WireConnection) {
        runner.connectionClosed()
        performActions(on: wire)
        countEnded(on: wire)
    }

    // MARK: Access

    /// Ends the streams whose callers have lost their access.
    package func accessChanged(on wire: any WireConnection) {
        guard !wire.isClosing else { return }
        runner.endStreams { callers.failure(of: $0) }
        wire.beginTurn()
    }

    // MARK: Turns

    /// Lets the calls send, one message each in turn, while the peer takes them.
    package func sendMessages(on wire: any WireConnection) {
        performActions(on: wire)
        while runner.hasReadyCalls, !wire.isClosing, wire.takesMessage() {
            if let message = runner.sendNext(now: wire.now) { wire.send(message) }
            performActions(on: wire)
        }
    }

    /// Begins a turn of the wire in a later task of the event loop. Until then there may be more to send, and all of it
    /// shares one write.
    package func scheduleTurn(of wire: any WireConnection) {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        let bound = NIOLoopBound(wire, eventLoop: eventLoop)
        eventLoop.execute {
            bound.value.calls.isTurnScheduled = false
            bound.value.beginTurn()
        }
    }

    // MARK: Work

    /// Takes the result of a call's work.
    func workFinished(_ call: RunningCall, _ result: Result<Step, RPCError>, on wire: any WireConnection) {
        tasks.ended(call)
        hasWorkEnded = true
        workingByteCount -= call.requestByteCount
        runner.workFinished(call, result)
        // In a later task of the loop: calls that end together, as those of one commit, share one write.
        scheduleTurn(of: wire)
    }

    // MARK: Logs

    private func listen(to log: any MessageLog, on wire: any WireConnection) {
        let bound = NIOLoopBound(wire, eventLoop: eventLoop)
        let waker = Waker(on: eventLoop) { bound.value.calls.messagesAppended(to: log, on: bound.value) }
        listening[ObjectIdentifier(log)] = log.listen(waker)
        // Between the runner's question and the registration there may have been some.
        messagesAppended(to: log, on: wire)
    }

    /// Lets the calls that read the log send. They do in a later task of the loop: there may be messages of other logs as
    /// well, and all share one write.
    private func messagesAppended(to log: any MessageLog, on wire: any WireConnection) {
        guard !isRunnerBusy else {
            let bound = NIOLoopBound(wire, eventLoop: eventLoop)
            return eventLoop.execute { bound.value.calls.messagesAppended(to: log, on: bound.value) }
        }
        if runner.messagesAppended(to: log) { scheduleTurn(of: wire) }
    }
}

extension IncomingCall {
    /// Makes the call that the method of a request gets.
    fileprivate init(_ request: consuming CallRequest, of caller: consuming RequestCaller, deadline: NIODeadline?) {
        let metadata = request.metadata
        self.init(
            payload: request.payload,
            metadata: metadata.isEmpty ? metadata : metadata.without(anyCaseOf: ConnectionAccess.key),
            deadline: deadline,
            caller: caller.id,
            principal: caller.principal,
            system: request.system
        )
    }
}

/// The running work of one connection's calls. Tasks run on the connection's event loop while they do not wait for others.
///
/// It must be used on that event loop only.
final class CallTasks {
    private typealias Finished = @Sendable (Result<Step, RPCError>) -> Void

    private let eventLoop: any EventLoop
    private let executor: EventLoopExecutor
    private let counters: EventCounters
    private let arrivals: StepArrivals

    init(on eventLoop: any EventLoop, counters: EventCounters) {
        self.eventLoop = eventLoop
        self.executor = EventLoopExecutor(eventLoop)
        self.counters = counters
        self.arrivals = StepArrivals(on: eventLoop)
    }

    /// Starts a call's work. The wire's `calls.workFinished` gets its result, on the event loop, after this has returned.
    func start(_ work: CallWork, of call: RunningCall, on wire: any WireConnection) {
        counters.taskStarted()
        let running = NIOLoopBound(RunningWork(call: call, wire: wire), eventLoop: eventLoop)
        switch work {
        case .task(let run):
            let task = CallDeadline.$current.withValue(call.deadline) {
                CallerID.$current.withValue(call.caller) { start(run, call.trace) { running.value.finished($0) } }
            }
            call.cancelWork = { task.cancel() }
        case .pending(let step):
            let arrival = StepArrivals.Arrival(of: step, running, in: arrivals)
            call.cancelWork = step.begin { arrival.arrived() }
        }
    }

    private func start(
        _ run: @escaping @Sendable () async throws(RPCError) -> Step,
        _ trace: TraceParent?,
        _ finished: @escaping Finished
    ) -> Task<Void, Never> {
        guard let trace else { return start(run, finished) }
        return TraceParent.$current.withValue(trace) { start(run, finished) }
    }

    private func start(
        _ run: @escaping @Sendable () async throws(RPCError) -> Step,
        _ finished: @escaping Finished
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            let result: Result<Step, RPCError>
            do throws(RPCError) {
                result = .success(try await run())
            } catch {
                result = .failure(error)
            }
            finished(result)
        }
    }

    /// Notes that a call's work has reported its result.
    func ended(_ call: RunningCall) {
        counters.taskEnded()
        call.cancelWork = nil
    }
}

/// The work of a call, and the wire that gets its result.
private struct RunningWork {
    let call: RunningCall
    let wire: any WireConnection

    func finished(_ result: Result<Step, RPCError>) { wire.calls.workFinished(call, result, on: wire) }
}

/// The pending steps of a connection that have arrived from other threads. Those that arrive together, as those of one
/// commit, reach the event loop with one of its tasks.
private final class StepArrivals: Wakeable {
    /// A step that was begun. It is an object, so that its place in the queue is one reference.
    final class Arrival: Sendable {
        fileprivate let step: any PendingStep
        fileprivate let work: NIOLoopBound<RunningWork>
        private let arrivals: StepArrivals

        init(of step: any PendingStep, _ work: NIOLoopBound<RunningWork>, in arrivals: StepArrivals) {
            self.step = step
            self.work = work
            self.arrivals = arrivals
        }

        func arrived() { arrivals.add(self) }
    }

    private let eventLoop: any EventLoop
    private let waiting = Mutex<[Arrival]>([])

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    private func add(_ arrival: Arrival) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(arrival)
            return waiting.count == 1
        }
        if isFirst { JointWakes.wake(self) }
    }

    func wake() { eventLoop.execute { [self] in deliver() } }

    private func deliver() {
        let arrived = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for arrival in arrived {
            arrival.work.value.finished(Result { () throws(RPCError) in try arrival.step.step() })
        }
    }
}
