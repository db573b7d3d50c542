internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// From request to answer.
extension ServerConnection {
    func startCall(_ id: StreamID, wantsStream: Bool, request: ByteBuffer) {
        do throws(RPCError) {
            let (method, call) = try incomingCall(request)
            let step = try method.start(call)
            if wantsStream, method.kind == .serverStreaming {
                machine.streamAccepted(id)
                // Spent here like every other message's credit; a stream begins with at least one.
                _ = machine.messageWanted(on: id)
                return begin(id, .stream, call.deadline, step)
            }
            switch consume step {
            case .message(let message, _):
                // The hot path: an answer from memory leaves nothing behind.
                try outbound.writeResponse(message, on: id)
                callEnded(id)
            case .end:
                begin(id, .response, call.deadline, .end)
            case .later(let work):
                begin(id, .response, call.deadline, .later(work))
            }
        } catch {
            outbound.writeError(error, on: id)
            callEnded(id)
        }
    }

    private func incomingCall(_ request: ByteBuffer) throws(RPCError) -> (RPCCore.Method, IncomingCall) {
        let timeout = configuration.unaryTimeout
        if let plain = PlainRequest(request), let method = methods.method(of: plain) {
            let call = try IncomingCall(
                plain.payload,
                timeoutNanoseconds: plain.timeoutNanoseconds,
                to: method,
                unaryTimeout: timeout
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
            unaryTimeout: timeout
        )
        return (method, call)
    }

    private func begin(_ id: StreamID, _ style: ActiveCall.Style, _ deadline: NIODeadline?, _ step: Step) {
        var call = ActiveCall(style: style)
        if let deadline {
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            call.deadlineTimer = context.eventLoop.scheduleTask(deadline: deadline) {
                connection.value.deadlinePassed(id)
            }
        }
        calls[id] = call
        carryOut(step, of: id)
    }

    private func carryOut(_ step: Step, of id: StreamID) {
        guard let style = calls[id]?.style else { return }
        do throws(RPCError) {
            switch (step, style) {
            case (.message(let message, _), .response):
                try outbound.writeResponse(message, on: id)
                end(id)
            case (.message(let message, let rest), .stream):
                try outbound.writeMessage(message, isLast: rest == nil, on: id)
                guard let rest else { return end(id) }
                calls[id]?.rest = rest
                readyStreams.append(id)
            case (.end, .response):
                try outbound.writeResponse(ByteBuffer(), on: id)
                end(id)
            case (.end, .stream):
                outbound.writeEndOfStream(on: id)
                end(id)
            case (.later(let work), _):
                calls[id]?.task = run(work, of: id)
            }
        } catch {
            fail(id, error)
        }
    }

    /// Runs what has to wait, off the event loop, and comes back with what follows.
    private func run(
        _ work: @escaping @Sendable () async throws(RPCError) -> Step,
        of id: StreamID
    ) -> Task<Void, Never> {
        let eventLoop = context.eventLoop
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        return Task {
            let result: Result<Step, RPCError>
            do throws(RPCError) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            eventLoop.execute { connection.value.workFinished(result, of: id) }
        }
    }

    private func workFinished(_ result: Result<Step, RPCError>, of id: StreamID) {
        // The call may have been cancelled, or have met its deadline, while the work was under way.
        guard calls[id] != nil else { return }
        calls[id]?.task = nil
        switch result {
        case .success(let step): carryOut(step, of: id)
        case .failure(let error): fail(id, error)
        }
        turnEnded()
    }

    private func deadlinePassed(_ id: StreamID) {
        guard calls[id] != nil else { return }
        fail(id, .deadlineExceeded)
        flush()
    }

    // MARK: Ends

    func fail(_ id: StreamID, _ error: RPCError) {
        outbound.writeError(error, on: id)
        end(id)
    }

    func end(_ id: StreamID) {
        calls.removeValue(forKey: id)?.stop()
        callEnded(id)
    }

    private func callEnded(_ id: StreamID) {
        if machine.callEnded(id) == .closeConnection || (isInputClosed && calls.isEmpty) { closeAfterFlush() }
    }

    // MARK: Streams

    /// Lets the ready streams send, one message each in turn, while the peer takes them.
    func pump() {
        var next = readyStreams.startIndex
        while next < readyStreams.endIndex, !isClosing {
            guard outbound.byteCount < configuration.maximumUnsentBytes else {
                // On by way of the loop's queue, so that one fast reader does not keep the other connections waiting.
                if hasRoom() { schedulePump() }
                break
            }
            let id = readyStreams[next]
            next += 1
            sendNextMessage(on: id)
        }
        readyStreams.removeSubrange(..<min(next, readyStreams.endIndex))
    }

    private func sendNextMessage(on id: StreamID) {
        guard let rest = calls[id]?.rest else { return }
        switch machine.messageWanted(on: id) {
        case .send:
            calls[id]?.rest = nil
            do throws(RPCError) {
                carryOut(try rest.next(), of: id)
            } catch {
                fail(id, error)
            }
        case .waitForCredit where isInputClosed:
            // The credit that it waits for cannot come any more.
            end(id)
        case .waitForCredit, .ignore:
            break
        }
    }

    private func schedulePump() {
        guard !isPumpScheduled else { return }
        isPumpScheduled = true
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            connection.value.isPumpScheduled = false
            connection.value.turnEnded()
        }
    }
}
