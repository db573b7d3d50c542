internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The calls of a connection: how they begin, and how their answers are sent.
extension ServerConnection: CallWire {
    func startCall(_ id: StreamID, wantsStream: Bool, request: ByteBuffer) {
        do throws(RPCError) {
            let call = try methods.call(request, wantsStream: wantsStream)
            guard let message = calls.begin(id, call, credit: machine.initialCredit, on: self) else { return }
            if call.isStream {
                send(StreamMessage(id: id, message: message, isFirst: true, isLast: true))
            } else {
                respond(id, message)
            }
        } catch {
            let metadata = (try? RequestEnvelope(request: request))?.metadata ?? Metadata()
            let answer = calls.refused(nil, .ttrpc, error, now: now, metadata: metadata)
            // A request that is wrong stays so when its caller is told something else.
            reject(id, answer, isFault: error.isFaultOfPeer)
            calls.endIfRefused(answer, on: self)
        }
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
    func reject(_ id: StreamID, _ error: RPCError) { reject(id, error, isFault: error.isFaultOfPeer) }

    private func reject(_ id: StreamID, _ error: RPCError, isFault: Bool) {
        guard !isClosing else { return }
        outbound.writeError(error, on: id)
        if isFault {
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

    var hasWaitingRequests: Bool { !held.isEmpty }

    func workingBytesChanged(by difference: Int) {
        guard abs(difference) >= Self.uncountedBytes else { return }
        workingRequestBytes += difference
        reportInboundBytes()
    }
}
