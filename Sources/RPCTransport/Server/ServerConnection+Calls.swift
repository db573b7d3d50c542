internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The handling of calls, from request to answer.
extension ServerConnection {
    func startCall(_ id: StreamID, wantsStream: Bool, request: ByteBuffer) {
        do throws(RPCError) {
            var (method, call) = try incomingCall(request, wantsStream: wantsStream)
            if method.isWatch { call.end = end(of: id) }
            let step = try method.start(call)
            let requestByteCount = request.readableBytes
            if wantsStream, method.kind == .serverStreaming {
                machine.streamAccepted(id)
                // The first message's credit is spent here, like that of every other message; a stream begins with at
                // least one.
                _ = machine.messageWanted(on: id, now: now)
                return begin(
                    ActiveCall(id, style: .stream, isWatch: method.isWatch, requestByteCount: requestByteCount),
                    call.deadline,
                    step
                )
            }
            switch consume step {
            case .message(let message, _):
                // The hot path: an answer from memory keeps no state.
                try outbound.writeResponse(message, on: id)
                callEnded(id)
            case .end:
                begin(ActiveCall(id, style: .response, requestByteCount: requestByteCount), call.deadline, .end)
            case .later(let work):
                begin(ActiveCall(id, style: .response, requestByteCount: requestByteCount), call.deadline, .later(work))
            case .source(let source):
                begin(
                    ActiveCall(id, style: .response, isWatch: method.isWatch, requestByteCount: requestByteCount),
                    call.deadline,
                    .source(source)
                )
            }
        } catch {
            outbound.writeError(error, on: id)
            if error.isFaultOfPeer {
                counters.count(.malformedRequest)
                carryOut(machine.callFaulted(id, now: now))
            } else {
                callEnded(id)
            }
        }
    }

    private func incomingCall(
        _ request: ByteBuffer,
        wantsStream: Bool
    ) throws(RPCError) -> (RPCCore.Method, IncomingCall) {
        let timeout = configuration.unaryTimeout
        if let plain = PlainRequest(request), let method = methods.method(of: plain) {
            let call = try IncomingCall(
                plain.payload,
                timeoutNanoseconds: plain.timeoutNanoseconds,
                to: method,
                wantsStream: wantsStream,
                unaryTimeout: timeout,
                now: now,
                from: caller
            )
            return (method, call)
        }
        let envelope = try RequestEnvelope(request: request)
        let method = try methods.method(envelope.method, of: envelope.service)
        let call = try IncomingCall(
            envelope.payload,
            metadata: envelope.metadata,
            timeoutNanoseconds: envelope.timeoutNanoseconds,
            to: method,
            wantsStream: wantsStream,
            unaryTimeout: timeout,
            now: now,
            from: caller
        )
        return (method, call)
    }

    private func begin(_ call: ActiveCall, _ deadline: NIODeadline?, _ step: Step) {
        let id = call.id
        call.deadline = deadline
        if let deadline {
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            call.deadlineTimer = LoopTimer(at: deadline, on: context.eventLoop, counters: counters) {
                connection.value.deadlinePassed(id)
            }
        }
        calls[id] = call
        carryOut(step, of: call)
    }

    func carryOut(_ step: consuming Step, of call: ActiveCall) {
        do throws(RPCError) {
            switch consume step {
            case .message(let message, let rest): try send(message, of: call, then: rest)
            case .end: try sendEnd(of: call)
            case .later(let work): call.task = run(work, of: call)
            case .source(let source): ask(source, for: call)
            }
        } catch {
            fail(call.id, error)
        }
    }

    private func send(
        _ message: any OutgoingMessage,
        of call: ActiveCall,
        then rest: (any MessageSource)?
    ) throws(RPCError) {
        switch call.style {
        case .response:
            try outbound.writeResponse(message, on: call.id)
            end(call.id)
        case .stream:
            try outbound.writeMessage(message, isLast: rest == nil, on: call.id)
            if !call.hasWrittenMessage {
                call.hasWrittenMessage = true
                machine.messageWritten(on: call.id)
            }
            guard let rest else { return end(call.id) }
            call.next = .source(rest)
            readyCalls.append(call)
        }
    }

    /// Queues the call for its turn, with the credit that was spent for this message.
    private func ask(_ source: any MessageSource, for call: ActiveCall) {
        call.holdsCredit = true
        call.next = .source(source)
        readyCalls.append(call)
    }

    private func sendEnd(of call: ActiveCall) throws(RPCError) {
        switch call.style {
        case .response: try outbound.writeResponse(EncodedMessage(ByteBuffer()), on: call.id)
        case .stream: outbound.writeEndOfStream(on: call.id)
        }
        end(call.id)
    }

    /// Runs work that has to wait as a task on the event loop, and continues with its result.
    private func run(
        _ work: @escaping @Sendable () async throws(RPCError) -> Step,
        of call: ActiveCall
    ) -> Task<Void, Never> {
        counters.taskStarted()
        requestWorkBegan(byteCount: call.requestByteCount)
        return CallDeadline.$current.withValue(call.deadline) {
            CallerID.$current.withValue(caller) {
                startTask(work, of: call.id, requestByteCount: call.requestByteCount)
            }
        }
    }

    private func startTask(
        _ work: @escaping @Sendable () async throws(RPCError) -> Step,
        of id: StreamID,
        requestByteCount: Int
    ) -> Task<Void, Never> {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        return Task(executorPreference: executor) {
            let result: Result<Step, RPCError>
            do throws(RPCError) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            connection.value.requestWorkEnded(byteCount: requestByteCount)
            connection.value.workFinished(result, of: id)
        }
    }

    private func workFinished(_ result: Result<Step, RPCError>, of id: StreamID) {
        now = .now()
        counters.taskEnded()
        // The call may have been cancelled, or have passed its deadline, while the work ran: it counts as open until
        // now.
        guard let call = calls[id] else { return workStopped(id) }
        call.task = nil
        switch result {
        case .success(let step) where hasRoom():
            carryOut(step, of: call)
        case .success(let step):
            // The message is encoded when the peer reads again.
            call.next = .step(step)
            readyCalls.append(call)
            reportUnsentBytes()
        case .failure(let error):
            fail(id, error)
        }
        turnEnded()
    }

    private func workStopped(_ id: StreamID) {
        callEnded(id)
        flush()
    }

    private func deadlinePassed(_ id: StreamID) {
        guard calls[id] != nil else { return }
        now = .now()
        counters.count(.deadlineExceeded)
        fail(id, .deadlineExceeded)
        turnEnded()
    }

    // MARK: Ends

    func fail(_ id: StreamID, _ error: RPCError) {
        outbound.writeError(error, on: id)
        end(id)
    }

    /// Ends a stream without a fault of its own: its caller resumes on another server, or later, from the same point.
    func interrupt(_ id: StreamID, _ refusal: Refusal) {
        counters.count(ServerEvent(refusal))
        fail(id, refusal.error.adding(metadata: calls[id]?.place ?? [:]))
    }

    /// Ends a call. Nothing more is sent on its stream. It counts as open until its work has stopped.
    func end(_ id: StreamID) {
        let call = calls.removeValue(forKey: id)
        call?.stop()
        call?.next = nil
        if call?.task == nil {
            callEnded(id)
        } else {
            machine.callAnswered(id)
        }
    }

    func callEnded(_ id: StreamID) {
        carryOut(machine.callEnded(id, now: now))
    }

    private func carryOut(_ action: ServerConnectionStateMachine.OnCallEnded) {
        switch action {
        case .continueConnection: break
        case .closeConnection: closeAfterFlush()
        case .endConnection(let termination): end(termination)
        }
    }
}
