internal import NIOCore

extension CallRunner {
    // MARK: Steps

    /// Takes a step whose message has no credit yet, or holds it since its work began.
    mutating func takeWithCredit(_ step: consuming Step, for call: RunningCall, now: NIODeadline) {
        // It asks for credit itself, unless it reads a log.
        if case .source(let source) = step {
            call.next = .source(source)
            return makeReady(call)
        }
        guard call.spendCredit() else {
            call.next = .step(step)
            return waitForCredit(call, now: now)
        }
        take(step, for: call)
    }

    /// Takes a step whose credit is spent. Work, and a source that it returns, hold the credit for their message.
    private mutating func take(_ step: consuming Step, for call: RunningCall) {
        switch consume step {
        case .message(let message, let rest):
            send(message, of: call, then: RunningCall.Next(rest))
        case .end:
            end(call)
        case .later(let work): start(.task(work), for: call)
        case .pending(let step): start(.pending(step), for: call)
        case .source(let source):
            call.holdsCredit = true
            call.next = .source(source)
            makeReady(call)
        case .conversation:
            fail(call, .lateConversation)
        }
    }

    private mutating func start(_ work: CallWork, for call: RunningCall) {
        call.holdsCredit = true
        call.isWorking = true
        actions.append(.startWork(work, of: call))
    }

    mutating func send(
        _ message: consuming any OutgoingMessage,
        of call: RunningCall,
        then rest: consuming RunningCall.Next?
    ) {
        if call.style == .response {
            call.sentByteCount = message.byteCount
            remove(call)
            return actions.append(.respond(call.id, message))
        }
        actions.append(.send(streamMessage(message, of: call, then: rest)))
    }

    /// The message in the form that the wire needs. With `isReady`, `rest` is sent at the call's next turn; otherwise
    /// the call waits.
    mutating func streamMessage(
        _ message: consuming any OutgoingMessage,
        of call: RunningCall,
        then rest: consuming RunningCall.Next?,
        isReady: Bool = true
    ) -> StreamMessage {
        let isFirst = !call.hasSentMessage
        call.hasSentMessage = true
        call.sentByteCount += message.byteCount
        call.next = rest
        let isLast = call.next == nil && call.requests == nil
        if isLast {
            remove(call)
        } else {
            if isReady, call.next != nil { makeReady(call) }
            noteSending(by: call)
        }
        return StreamMessage(id: call.id, message: message, isFirst: isFirst, isLast: isLast)
    }

    mutating func end(_ call: RunningCall) {
        remove(call)
        switch call.style {
        case .response: actions.append(.respond(call.id, EncodedMessage(ByteBuffer())))
        case .stream: actions.append(.endStream(call.id))
        }
    }

    // MARK: Turns

    mutating func makeReady(_ call: RunningCall) {
        guard !call.isReady else { return }
        call.isReady = true
        ready.append(call)
    }

    /// Pulls a source's next message, once the peer has granted credit for it. Returns the message of a stream, if any.
    mutating func pull(_ source: any MessageSource, for call: RunningCall, now: NIODeadline) -> StreamMessage? {
        if call.isWatch, let cursor = source.cursor { return read(cursor, by: call, now: now) }
        guard call.spendCredit() else {
            call.next = .source(source)
            waitForCredit(call, now: now)
            return nil
        }
        call.endPause(now: now)
        do throws(RPCError) {
            let step = try source.next()
            // The hot path: a message is moved, not copied.
            switch consume step {
            case .message(let message, let rest) where call.style == .stream:
                return streamMessage(message, of: call, then: RunningCall.Next(rest))
            case let step:
                take(step, for: call)
            }
        } catch {
            fail(call, error)
        }
        return nil
    }

    mutating func answerRequest(of call: RunningCall, now: NIODeadline) {
        guard let requests = call.requests else { return }
        guard !requests.waiting.isEmpty else {
            if requests.isEnded { end(call) }
            return
        }
        guard call.spendCredit() else { return waitForCredit(call, now: now) }
        call.endPause(now: now)
        let payload = requests.waiting.removeFirst()
        waitingByteCount -= payload.readableBytes
        do throws(RPCError) {
            send(try requests.conversation.answer(to: payload), of: call, then: nil)
        } catch {
            return fail(call, error)
        }
        if call.requests != nil, requests.isEnded || !requests.waiting.isEmpty { makeReady(call) }
    }

    mutating func waitForCredit(_ call: RunningCall, now: NIODeadline) {
        switch phase {
        case .draining:
            // The caller resumes on another server, from its page token or revision.
            interrupt(call, .draining)
        case .inputClosed:
            // The credit cannot arrive any more.
            interrupt(call, .inputClosed)
        case .open:
            let deadline = call.creditDeadline ?? now + TimeAmount(creditTimeout)
            call.creditDeadline = deadline
            checkTime(deadline)
        }
    }
}

extension RPCError {
    /// A fault of the method: only its first step may be a conversation, because the request is not retained.
    static let lateConversation = RPCError(.internalError, reason: .serverFault, "the method failed")

    static let tooManyRequests = RPCError(
        .resourceExhausted,
        reason: .requestLimit,
        "\(FurtherRequests.maximumCount) requests of this call are unanswered, the limit: read the answers "
            + "first",
        metadata: ["maximum": "\(FurtherRequests.maximumCount)"]
    )
}
