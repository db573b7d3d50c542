internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The carrying out of what the call runner decides.
extension ServerConnection {
    func startCall(_ id: StreamID, wantsStream: Bool, request: ByteBuffer) {
        do throws(RPCError) {
            if let (method, plain) = methods.plainCall(request) {
                let timeout = plain.timeoutNanoseconds
                try begin(id, method, plain.payload, Metadata(), timeoutNanoseconds: timeout, wantsStream: wantsStream)
            } else {
                let envelope = try RequestEnvelope(request: request)
                let method = try methods.method(envelope.method, of: envelope.service)
                let timeout = envelope.timeoutNanoseconds
                let (payload, metadata) = (envelope.payload, envelope.metadata)
                try begin(id, method, payload, metadata, timeoutNanoseconds: timeout, wantsStream: wantsStream)
            }
        } catch {
            reject(id, error)
        }
    }

    private func begin(
        _ id: StreamID,
        _ method: RPCCore.Method,
        _ payload: ByteBuffer,
        _ metadata: Metadata,
        timeoutNanoseconds: Int64,
        wantsStream: Bool
    ) throws(RPCError) {
        let call = try IncomingCall(
            payload,
            metadata: metadata,
            timeoutNanoseconds: timeoutNanoseconds,
            to: method,
            wantsStream: wantsStream,
            unaryTimeout: server.unaryTimeout,
            now: now,
            from: caller,
            end: method.isWatch ? end(of: id) : nil
        )
        isRunnerBusy = true
        let answer = runner.begin(
            id,
            method,
            call,
            wantsStream: wantsStream,
            credit: machine.initialCredit,
            now: now
        )
        isRunnerBusy = false
        if let answer { respond(id, answer) } else { performCallActions() }
    }

    /// Carries out what the last events ask for. Answers go to the buffer, which is sent at the end of the turn.
    func performCallActions() {
        while let action = runner.nextAction() { perform(action) }
    }

    private func perform(_ action: consuming CallAction) {
        switch consume action {
        case .respond(let id, let message): respond(id, message)
        case .send(let message): send(message)
        case .endStream(let id): endStream(id)
        case .reject(let id, let error): reject(id, error)
        case .fail(let id, let error, let interruption, let isOver):
            if let interruption { counters.count(ServerEvent(interruption)) }
            answerWithError(id, error, isOver: isOver)
        case .startWork(let work): start(work)
        case .stopWork(let id): tasks.cancel(id)
        case .listen(let log): listen(to: log)
        case .stopListening(let log): listening.removeValue(forKey: ObjectIdentifier(log))?.cancel()
        case .checkTime: armTimer()
        case .over(let id): callEnded(id)
        }
    }

    // MARK: Answers

    private func respond(_ id: StreamID, _ message: any OutgoingMessage) {
        guard !isClosing else { return }
        do throws(RPCError) {
            try outbound.writeResponse(message, on: id)
        } catch {
            outbound.writeError(error, on: id)
        }
        callEnded(id)
    }

    private func send(_ message: StreamMessage) {
        guard !isClosing else { return }
        let id = message.id
        do throws(RPCError) {
            try outbound.writeMessage(message.message, isLast: message.isLast, on: id)
        } catch {
            return message.isLast ? answerWithError(id, error, isOver: true) : runner.fail(id, error)
        }
        machine.messageSent()
        if message.isFirst { machine.messageWritten(on: id) }
        if message.isLast { callEnded(id) }
    }

    private func endStream(_ id: StreamID) {
        guard !isClosing else { return }
        outbound.writeEndOfStream(on: id)
        callEnded(id)
    }

    /// Answers a request that its method, or the envelope's decoding, refused.
    private func reject(_ id: StreamID, _ error: RPCError) {
        guard !isClosing else { return }
        outbound.writeError(error, on: id)
        if error.isFaultOfPeer {
            counters.count(.malformedRequest)
            carryOut(machine.callFaulted(id, now: now))
        } else {
            callEnded(id)
        }
    }

    private func answerWithError(_ id: StreamID, _ error: RPCError, isOver: Bool) {
        guard !isClosing else { return }
        outbound.writeError(error, on: id)
        if isOver { callEnded(id) } else { machine.callAnswered(id) }
    }

    private func callEnded(_ id: StreamID) {
        carryOut(machine.callEnded(id, now: now))
    }

    private func carryOut(_ action: ServerConnectionStateMachine.OnCallEnded) {
        switch action {
        case .continueConnection: break
        case .closeConnection: closeAfterFlush()
        case .endConnection(let termination): end(termination)
        }
    }

    // MARK: Work

    private func start(_ work: CallWork) {
        requestWorkBegan(byteCount: work.requestByteCount)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        tasks.start(work) { result in connection.value.workFinished(work, result) }
    }

    private func workFinished(_ work: CallWork, _ result: Result<Step, RPCError>) {
        now = .now()
        tasks.ended(work.id)
        requestWorkEnded(byteCount: work.requestByteCount)
        runner.workFinished(work.id, result)
        // The message is encoded when the peer reads again.
        if !hasRoom() { reportUnsentBytes() }
        // In a later task of the loop: calls that end together, as those of one commit, share one write.
        schedulePump()
    }

    // MARK: Logs

    /// The registration with a log that calls of this connection read.
    struct Listening {
        /// The function that ends it.
        let cancel: @Sendable () -> Void
    }

    private func listen(to log: any MessageLog) {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let waker = Waker(on: context.eventLoop) { connection.value.messagesAppended(to: log) }
        listening[ObjectIdentifier(log)] = Listening(cancel: log.listen(waker))
        // Between the runner's question and the registration there may have been some.
        messagesAppended(to: log)
    }

    /// Lets the calls that read the log send. They do in a later task of the loop: there may be messages of other logs as
    /// well, and all share one write.
    private func messagesAppended(to log: any MessageLog) {
        guard !isRunnerBusy else {
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            return context.eventLoop.execute { connection.value.messagesAppended(to: log) }
        }
        if runner.messagesAppended(to: log) { schedulePump() }
    }

    /// Makes the function that ends a watch with an error, from any thread.
    private func end(of id: StreamID) -> @Sendable (RPCError) -> Void {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        return { [eventLoop = context.eventLoop] error in
            // Through the loop's queue: the connection may be handling an event, and this call may not have begun.
            eventLoop.execute { bound.value.displace(id, error) }
        }
    }

    private func displace(_ id: StreamID, _ error: RPCError) {
        guard !isClosing, runner.displace(id, error) else { return }
        now = .now()
        turnEnded()
    }

    // MARK: Turns

    /// Lets the calls send, one message each in turn, while the peer takes them.
    func pump() {
        performCallActions()
        while runner.hasReadyCalls, isWritable, !isClosing {
            guard outbound.byteCount < configuration.limits.maximumUnsentBytes else {
                // Continue in a later task of the loop, so that one fast reader does not keep the other connections
                // waiting.
                if hasRoom() { schedulePump() }
                break
            }
            isRunnerBusy = true
            let message = runner.sendNext(now: now)
            isRunnerBusy = false
            if let message { send(message) }
            performCallActions()
        }
    }

    func schedulePump() {
        guard !isPumpScheduled else { return }
        isPumpScheduled = true
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            connection.value.isPumpScheduled = false
            connection.value.now = .now()
            connection.value.turnEnded()
        }
    }
}
