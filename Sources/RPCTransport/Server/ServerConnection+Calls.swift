internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The calls of a connection: how they begin, and how their answers are sent.
extension ServerConnection: CallWire {
    func startCall(_ id: StreamID, wantsStream: Bool, request: ByteBuffer) {
        if !wantsStream, let answer = lastAnswer.message(to: request) { return respond(id, answer) }
        do throws(RPCError) {
            if let (method, plain) = methods.plainCall(request) {
                let timeout = plain.timeoutNanoseconds
                let answer = try begin(
                    id,
                    method,
                    plain.payload,
                    Metadata(),
                    timeoutNanoseconds: timeout,
                    wantsStream: wantsStream
                )
                if let answer { respond(id, answer, to: request, of: method, wantsStream: wantsStream) }
            } else {
                let envelope = try RequestEnvelope(request: request)
                let method = try methods.method(envelope.method, of: envelope.service)
                let answer = try begin(
                    id,
                    method,
                    envelope.payload,
                    envelope.metadata,
                    timeoutNanoseconds: envelope.timeoutNanoseconds,
                    wantsStream: wantsStream
                )
                if let answer { respond(id, answer, to: request, of: method, wantsStream: wantsStream) }
            }
        } catch {
            reject(id, error)
        }
    }

    /// Sends the answer that a method had at once.
    private func respond(
        _ id: StreamID,
        _ answer: any OutgoingMessage,
        to request: ByteBuffer,
        of method: RPCCore.Method,
        wantsStream: Bool
    ) {
        if !wantsStream { lastAnswer.keep(answer, to: request, of: method) }
        respond(id, answer)
    }

    private func begin(
        _ id: StreamID,
        _ method: RPCCore.Method,
        _ payload: ByteBuffer,
        _ metadata: Metadata,
        timeoutNanoseconds: Int64,
        wantsStream: Bool
    ) throws(RPCError) -> (any OutgoingMessage)? {
        let call = try IncomingCall(
            payload,
            metadata: metadata,
            timeoutNanoseconds: timeoutNanoseconds,
            to: method,
            wantsStream: wantsStream,
            unaryTimeout: server.unaryTimeout,
            now: now,
            from: calls.caller,
            end: method.isWatch ? calls.end(of: id, on: self) : nil
        )
        return calls.begin(
            id,
            method,
            call,
            wantsStream: wantsStream,
            credit: machine.initialCredit,
            on: self
        )
    }

    // MARK: Answers

    func respond(_ id: StreamID, _ message: any OutgoingMessage) {
        guard !isClosing else { return }
        do throws(RPCError) {
            try outbound.writeResponse(message, on: id)
        } catch {
            outbound.writeError(error, on: id)
        }
        callEnded(id)
    }

    func send(_ message: StreamMessage) {
        guard !isClosing else { return }
        let id = message.id
        do throws(RPCError) {
            try outbound.writeMessage(message.message, isLast: message.isLast, on: id)
        } catch {
            return message.isLast ? fail(id, error, isOver: true) : calls.runner.fail(id, error)
        }
        machine.messageSent()
        if message.isFirst { machine.messageWritten(on: id) }
        if message.isLast { callEnded(id) }
    }

    func endStream(_ id: StreamID) {
        guard !isClosing else { return }
        outbound.writeEndOfStream(on: id)
        callEnded(id)
    }

    /// Answers a request that its method, or the envelope's decoding, refused.
    func reject(_ id: StreamID, _ error: RPCError) {
        guard !isClosing else { return }
        outbound.writeError(error, on: id)
        if error.isFaultOfPeer {
            counters.count(.malformedRequest)
            carryOut(machine.callFaulted(id, now: now))
        } else {
            callEnded(id)
        }
    }

    func fail(_ id: StreamID, _ error: RPCError, isOver: Bool) {
        guard !isClosing else { return }
        outbound.writeError(error, on: id)
        if isOver { callEnded(id) } else { machine.callAnswered(id) }
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

    // MARK: Turns

    func takesMessage() -> Bool {
        guard isWritable else { return false }
        guard outbound.byteCount >= configuration.limits.maximumUnsentBytes else { return true }
        // Continue in a later task of the loop, so that one fast reader does not keep the other connections waiting.
        if hasRoom() { calls.scheduleTurn(of: self) }
        return false
    }

    func beginTurn() {
        now = .now()
        turnEnded()
        // Answers that are ready wait for the peer to read.
        if !isWritable { reportUnsentBytes() }
    }

    func workingBytesChanged(by difference: Int) {
        guard abs(difference) >= Self.uncountedBytes else { return }
        workingRequestBytes += difference
        reportInboundBytes()
    }
}
