internal import Framing
internal import NIOCore
internal import RPCCore

/// The actions of the machine, carried out and compared with this side's knowledge of the connection.
extension ServerDriver {
    mutating func carryOut(_ action: ServerConnectionStateMachine.OnFrame, _ header: FrameHeader) {
        switch action {
        case .startCall(let id, let wantsStream):
            expect(id == header.streamID && header.type == .request, "\(id) starts without a request")
            start(id, wantsStream: wantsStream)
        case .stopCall(let id):
            expect(initialCredit != nil, "a plain peer cancelled \(id)")
            stop(id)
        case .failCall(let id, _):
            answer(id)
            stop(id)
        case .grantCredit(let id, let messages):
            expect(header.type == .credit && running[id]?.isStopping == false, "\(id) is granted credit, but is over")
            grant(messages, to: id)
        case .refuse(let id, let refusal):
            refuse(id, refusal, header)
        case .readHello:
            readHello()
        case .sendPong:
            expect(initialCredit != nil, "a plain peer was sent a Pong")
            expect(!isPongUnsent, "Pongs are queued")
            outbound.writeFrame(.pong, on: .connection, data: ByteBuffer(repeating: 0, count: 8))
            if random.oneIn(2) { pongSent() } else { isPongUnsent = true }
        case .endConnection(let termination):
            end(termination)
        case .done, .ignore:
            break
        }
    }

    mutating func carryOut(_ action: ServerConnectionStateMachine.OnCheck) {
        switch action {
        case .continueConnection:
            break
        case .endConnection(let termination):
            expect(running.isEmpty, "a connection ends as idle while calls are running")
            end(termination)
        }
    }

    private mutating func readHello() {
        expect(initialCredit == nil && isAnswered.isEmpty, "a late Hello is read")
        let credit = UInt32.random(in: 0...3, using: &random)
        initialCredit = credit
        if machine.helloReceived(initialCredit: credit) == .sendHello {
            outbound.writeFrame(.hello, on: .connection)
        }
    }

    private mutating func refuse(_ id: StreamID, _ refusal: Refusal, _ header: FrameHeader) {
        expect(running[id] == nil || refusal == .reusedStreamID, "\(id) is running and was refused: \(refusal)")
        outbound.writeFrame(.response, on: id)
        switch refusal {
        case .evenStreamID, .reusedStreamID, .reservedStreamID, .inactiveStream, .unexpectedData: break
        case .frameTooLarge, .streamLimit, .draining:
            if header.type == .request { remember(id) }
        }
    }

    // MARK: Calls

    private mutating func start(_ id: StreamID, wantsStream: Bool) {
        expect(isAnswered.updateValue(false, forKey: id) == nil, "\(id) starts twice")
        expect(!isDraining, "\(id) starts while the server is stopping")
        let isStream = wantsStream && !random.oneIn(4)
        var call = Call(messagesLeft: isStream ? Int.random(in: 0...6, using: &random) : 0, isStream: isStream)
        if isStream {
            if case .messages(let credit) = machine.initialCredit { call.granted = UInt64(credit) }
            expect(call.granted ?? 0 == UInt64(initialCredit ?? 0), "\(id) begins with another credit than the Hello's")
        }
        running[id] = call
        // What is stopping still counts.
        let count = running.count
        expect(count <= Self.maximumStreams, "\(count) calls are running")
        // Its bytes may turn out to be no request.
        if random.oneIn(16) {
            answer(id)
            end(id, isFault: true)
        } else if random.oneIn(3) {
            advance(id)
        }
    }

    mutating func advance(_ id: StreamID) {
        guard let call = running[id] else { return }
        guard !call.isStopping else { return end(id) }
        guard call.isStream, call.messagesLeft > 0 else { return finish(id) }
        guard call.granted.map({ call.sent < $0 }) ?? true else {
            if isDraining {
                answer(id)
                end(id)
            }
            return
        }
        running[id]?.sent += 1
        running[id]?.messagesLeft -= 1
        let isLast = call.messagesLeft == 1 && random.oneIn(2)
        outbound.writeFrame(.data, on: id, flags: isLast ? .remoteClosed : [], data: ByteBuffer(string: "m"))
        machine.messageSent()
        machine.messageWritten(on: id)
        if isLast { answered(id) }
    }

    /// Nothing more to send: the last frame, of one kind or the other.
    private mutating func finish(_ id: StreamID) {
        if running[id]?.isStream == true, !random.oneIn(4) {
            outbound.writeFrame(.data, on: id, flags: [.remoteClosed, .noData])
        } else {
            outbound.writeFrame(.response, on: id)
        }
        answered(id)
    }

    /// The last frame is written. The handler stops with it, or a little later.
    private mutating func answered(_ id: StreamID) {
        noteAnswer(id)
        guard random.oneIn(5) else { return end(id) }
        machine.callAnswered(id)
        running[id]?.isStopping = true
    }

    private mutating func answer(_ id: StreamID) {
        outbound.writeFrame(.response, on: id)
        noteAnswer(id)
    }

    private mutating func noteAnswer(_ id: StreamID) {
        expect(isAnswered.updateValue(true, forKey: id) == false, "\(id) is answered twice, or was never asked")
    }

    /// The call's handler stops at once, or a little later.
    private mutating func stop(_ id: StreamID) {
        expect(running[id]?.isStopping == false, "\(id) is stopped, but is not running")
        running[id]?.isStopping = true
        if random.oneIn(2) { end(id) }
    }

    private mutating func end(_ id: StreamID, isFault: Bool = false) {
        guard let call = running.removeValue(forKey: id) else {
            expect(false, "\(id) ends, but is not running")
            return
        }
        messagesSent[id] = Int(call.sent)
        remember(id)
        switch isFault ? machine.callFaulted(id, now: now) : machine.callEnded(id, now: now) {
        case .continueConnection:
            // A plain peer is waited for until it is quiet.
            expect(
                !isDraining || !running.isEmpty || initialCredit == nil,
                "the connection stays open after its last call"
            )
        case .closeConnection:
            expect(isDraining && running.isEmpty, "the connection closes too early")
            isClosed = true
        case .endConnection(let termination):
            expect(isFault, "a call that ended well ends the connection")
            end(termination)
        }
    }

    // MARK: The end

    private mutating func end(_ termination: ServerConnectionStateMachine.ConnectionTermination) {
        expect((termination.goAwayAfter != nil) == (initialCredit != nil), "GoAway is for those who said Hello")
        if case .tooMany(let behavior, let limit) = termination.error {
            let count = frameCount
            expect(count > limit, "\(count) frames are too many \(behavior), where \(limit) are allowed")
        }
        self.termination = termination.error
        close()
    }

    mutating func close() {
        isClosed = true
        running.removeAll()
        expect(machine.connectionClosed().isEmpty, "calls are left after the connection")
        let late = Frame(.request, on: 0x7FFF_FFFF)
        expect(machine.frameReceived(late, now: now) == .ignore, "a call starts after the connection")
    }

    mutating func goAway(_ last: StreamID, _ isSent: Bool) {
        expect(isSent == (initialCredit != nil), "GoAway is for those who speak the extensions")
        if isSent { outbound.writeFrame(.goAway, on: .connection, data: ByteBuffer(integer: last.rawValue)) }
    }
}
