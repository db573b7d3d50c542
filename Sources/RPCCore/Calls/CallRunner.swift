package import NIOCore

/// The calls of one connection, from request to answer, independent of the wire.
///
/// It is a value: events go in, actions come out. It starts no task, reads no clock, draws no random number and encodes
/// nothing. So the same events always give the same actions. Its owner
///
/// - reports each event with the time, then carries out `nextAction()` until it returns nil;
/// - calls `sendNext` while `hasReadyCalls`, and the peer takes messages. Messages are made only then, so they never
///   wait in memory for a peer that does not read.
///
/// A call is over when its last answer is sent and its work has stopped. Otherwise a peer could run any number of tasks
/// by cancelling calls (CVE-2023-44487). Events for finished calls have no effect, because they may have crossed the
/// end.
package struct CallRunner: ~Copyable {
    private enum Phase {
        case open
        /// The peer sends nothing more. A stream that would have to wait ends: plain clients cancel only by closing the
        /// connection.
        case inputClosed
        /// The server stops. Watches, and streams that would wait for credit, end: nothing else would end them.
        case draining
    }

    package let creditTimeout: Duration
    private var phase = Phase.open
    package var isDraining: Bool { phase == .draining }
    private var calls: [StreamID: RunningCall] = [:]
    private var stopping: Set<StreamID> = []
    /// The calls that may have something to send, in turn. Finished calls among them have nothing.
    private var ready = CircularBuffer<RunningCall>()
    private var actions = ActionQueue()
    private var ended: [RunningCall] = []
    /// The calls that were rejected before they ran.
    private var rejected: [EndedCall] = []
    /// The streams that sent a message in this turn and continue.
    private var sent: [RunningCall] = []
    /// At most the earliest time of all calls; nil if no call has one.
    private var check: NIODeadline?
    private var logs: [ObjectIdentifier: LogReaders] = [:]
    private var news: [LogReaders] = []

    package init(creditTimeout: Duration) { self.creditTimeout = creditTimeout }

    // MARK: Actions

    package mutating func nextAction() -> CallAction? { actions.popFirst() }

    package var hasEndedCalls: Bool { !ended.isEmpty || !rejected.isEmpty }

    /// Removes the finished calls, except those that `begin` answered itself, and calls `body` with each.
    package mutating func takeEnded(_ body: (EndedCall) -> Void) {
        for call in ended { body(call.end) }
        for call in rejected { body(call) }
        ended.removeAll(keepingCapacity: ended.count <= Self.keptCapacity)
        rejected = []
    }

    /// The number of ended calls for which a connection keeps the memory, 1 KiB.
    private static let keptCapacity = 128

    package var hasSentMessages: Bool { !sent.isEmpty }

    /// Ends a turn: the streams that sent a message pause until they are asked for the next one.
    package mutating func turnEnded(now: NIODeadline) {
        for call in sent { call.turnEnded(now: now) }
        sent.removeAll(keepingCapacity: true)
    }

    /// Notes a message that leaves with this turn. Of a watch only the first counts: it pauses as long as its caller wants.
    private mutating func noteSending(by call: RunningCall) {
        guard !call.hasSentInTurn, !call.isWatch || call.end.firstMessageAt == nil else { return }
        call.hasSentInTurn = true
        sent.append(call)
    }

    package var hasReadyCalls: Bool { !ready.isEmpty || !news.isEmpty }

    /// Whether no call waits for an answer. Work of answered or cancelled calls may still run.
    package var isEmpty: Bool { calls.isEmpty }

    package var openCallCount: Int { calls.count }

    /// The number of calls that are not over: they wait for an answer, or their work has not stopped.
    package var runningCount: Int { calls.count + stopping.count }

    /// A call is new for so long, unless it sends a message. With the maximum of open calls, a peer that cancels older ones
    /// makes less work than one that waits for its answers.
    private static let newTime = TimeAmount.milliseconds(10)

    /// Returns how far a call is that has begun; nil if it is over, or there was none.
    package func progress(of id: StreamID, now: NIODeadline) -> CallProgress? {
        if let call = calls[id] {
            return .open(isNew: call.end.firstMessageAt == nil && now < call.end.startedAt + Self.newTime)
        }
        return stopping.contains(id) ? .stopping : nil
    }

    /// The size of the finished answers that wait for their turn, in bytes.
    package var finishedByteCount: Int { calls.values.reduce(0) { $0 + $1.finishedByteCount } }

    /// The size of the requests that wait for credit or for their turn, in bytes.
    package private(set) var waitingByteCount = 0

    package var nextCheck: NIODeadline? { check }

    /// Lets the next call send one message.
    ///
    /// - Returns: The message of a stream, if any, to send before the queued actions. The queue would take longer than
    ///   a page.
    package mutating func sendNext(now: NIODeadline) -> StreamMessage? {
        if !news.isEmpty { wakeReaders() }
        guard let call = ready.popFirst() else { return nil }
        call.isReady = false
        switch call.takeNext() {
        case .request(let request):
            start(request, of: call, now: now)
        case .step(let step):
            takeWithCredit(step, for: call, now: now)
        case .source(let source):
            return pull(source, for: call, now: now)
        case .entry:
            call.next = .entry
            return sendEntry(to: call, now: now)
        case nil:
            answerRequest(of: call, now: now)
        }
        return nil
    }

    // MARK: Events of the wire

    /// - Parameters:
    ///   - id: The call's stream, which was never used before.
    ///   - method: The called method.
    ///   - call: The request.
    ///   - wantsStream: Whether the caller reads a stream. Otherwise it gets only the first message.
    ///   - credit: The messages that a stream may send at first. Without credit its method starts when there is some.
    ///   - hasMoreRequests: Whether further request messages may follow, with `requestReceived`.
    ///   - now: The time.
    /// - Returns: The call's only message, if the method has it immediately: the call is over. Otherwise nil, with
    ///   actions in the queue, which would take longer than most calls.
    package mutating func begin(
        _ id: StreamID,
        _ method: RPCMethod,
        _ call: IncomingCall,
        wantsStream: Bool,
        credit: CallCredit,
        hasMoreRequests: Bool = false,
        now: NIODeadline
    ) -> (any OutgoingMessage)? {
        let isStream = wantsStream && method.isStreaming
        // Otherwise the call would keep what its method makes for as long as the peer likes. A watch has to wait for its log
        // and not for credit, and a conversation makes nothing before it has credit.
        if isStream, credit.isEmpty, !method.isWatch, !method.takesFurtherRequests {
            let running = add(id, .stream, method, call, credit, now: now)
            running.next = .request(call)
            waitingByteCount += running.waitingByteCount
            waitForCredit(running, now: now)
            return nil
        }
        let step: Step
        do throws(RPCError) {
            step = try method.start(call)
        } catch {
            actions.append(.reject(id, error))
            let trace = TraceParent(call.metadata)
            rejected.append(
                EndedCall(method, call.system, startedAt: now, error: error, principal: call.principal, trace: trace)
            )
            return nil
        }
        // The hot path: an answer from memory keeps no state.
        if case .message(let message, let rest) = step, !isStream || (rest == nil && !credit.isEmpty) { return message }
        let running = add(id, isStream ? .stream : .response, method, call, isStream ? credit : .unlimited, now: now)
        if case .conversation(let conversation) = step {
            running.requests = FurtherRequests(
                conversation: conversation,
                waiting: call.payload,
                isEnded: !hasMoreRequests
            )
            waitingByteCount += running.waitingByteCount
            makeReady(running)
        } else {
            takeWithCredit(step, for: running, now: now)
        }
        return nil
    }

    private mutating func add(
        _ id: StreamID,
        _ style: RunningCall.Style,
        _ method: RPCMethod,
        _ call: IncomingCall,
        _ credit: CallCredit,
        now: NIODeadline
    ) -> RunningCall {
        let running = RunningCall(id, style: style, of: method, call, credit: credit, now: now)
        calls[id] = running
        if let deadline = call.deadline { checkTime(deadline) }
        return running
    }

    /// Starts the method of a call that has waited for credit.
    private mutating func start(_ request: IncomingCall, of call: RunningCall, now: NIODeadline) {
        waitingByteCount -= call.requestByteCount
        do throws(RPCError) {
            takeWithCredit(try call.method.start(request), for: call, now: now)
        } catch {
            remove(call, error.code, error.reason)
            actions.append(.reject(call.id, error))
        }
    }

    /// Grants a stream more messages. Returns false for an unlimited stream, and for a finished call.
    @discardableResult
    package mutating func grant(_ messages: UInt32, to id: StreamID) -> Bool {
        guard let call = calls[id], case .messages(let count) = call.credit else { return false }
        let (sum, overflow) = count.addingReportingOverflow(messages)
        call.credit = .messages(overflow ? .max : sum)
        if call.creditDeadline != nil, !call.credit.isEmpty {
            call.creditDeadline = nil
            makeReady(call)
        }
        return true
    }

    /// Whether a further request of a call would wait for no other one.
    package func takesRequest(on id: StreamID) -> Bool {
        guard let requests = calls[id]?.requests else { return false }
        return requests.waiting == nil
    }

    /// Accepts a further request message of a call that takes one, to be answered in its turn.
    package mutating func requestReceived(_ payload: ByteBuffer, on id: StreamID) {
        guard let call = calls[id], takesRequest(on: id), call.requests?.isEnded == false else { return }
        call.requests?.waiting = payload
        waitingByteCount += payload.readableBytes
        if call.creditDeadline == nil { makeReady(call) }
    }

    /// Records the end of the call's requests. The call ends after the last answer.
    package mutating func requestsEnded(on id: StreamID) {
        guard let call = calls[id], call.requests != nil else { return }
        call.requests?.isEnded = true
        if call.creditDeadline == nil { makeReady(call) }
    }

    /// Stops a call that its peer cancelled. Nothing more is sent for it; it is over when its work has stopped.
    package mutating func cancel(_ id: StreamID) {
        guard let call = calls[id] else { return }
        remove(call, .cancelled)
    }

    /// Ends a call with an error that the wire found: a protocol violation, or a message that the peer does not accept.
    package mutating func fail(_ id: StreamID, _ error: RPCError) {
        if let call = calls[id] { fail(call, error) }
    }

    /// Notes that the caller of a call that has ended in this turn gets an error in place of the answer. Returns false if
    /// there is no such call.
    package mutating func answerReplaced(on id: StreamID, by error: RPCError) -> Bool {
        guard let call = ended.last(where: { $0.id == id }) else { return false }
        call.end.answerReplaced(by: error)
        return true
    }

    /// Records that the peer sends nothing more. Calls with work or messages continue; a stream that would have to wait
    /// for its peer ends.
    package mutating func inputClosed() {
        if phase == .open { phase = .inputClosed }
        wakeReaders()
        for call in inOrder where call.style == .stream && !call.isReady && !call.isWorking {
            interrupt(call, .inputClosed)
        }
    }

    // MARK: Events of work

    /// Records the result of a call's work, which may have been cancelled or overdue meanwhile.
    package mutating func workFinished(_ call: RunningCall, _ result: Result<Step, RPCError>) {
        guard !call.isOver else {
            stopping.remove(call.id)
            return
        }
        call.isWorking = false
        switch result {
        case .success(let step):
            call.next = .step(step)
            makeReady(call)
        case .failure(let error):
            fail(call, error)
        }
    }

    /// Ends the streams and watches of callers that lost their access; `failure` returns the error, or nil. Other calls
    /// end soon.
    package mutating func endStreams(of failure: (Principal) -> RPCError?) {
        for call in inOrder where call.style == .stream || call.isWatch {
            if let error = failure(call.principal) { interrupt(call, .accessEnded(error)) }
        }
    }

    // MARK: Time

    /// Ends the calls whose deadline or wait for credit is over, and pulls the watches whose wait has timed out.
    package mutating func timePassed(now: NIODeadline) {
        guard let due = check, due <= now else { return }
        check = nil
        for call in inOrder {
            if let deadline = call.deadline, deadline <= now {
                interrupt(call, .deadlineExceeded)
                continue
            }
            if let deadline = call.creditDeadline, deadline <= now {
                interrupt(call, .creditTimeout(after: creditTimeout))
                continue
            }
            if let timeout = call.readingTimeout, timeout <= now { timeOutReading(of: call, now: now) }
            if let next = call.nextCheck { check = min(check ?? next, next) }
        }
    }

    private mutating func checkTime(_ time: NIODeadline) {
        if let check, check <= time { return }
        check = time
        actions.append(.checkTime(time))
    }

    // MARK: The end

    /// Begins to drain: the calls finish, but those that would not end by themselves end now.
    package mutating func drain() {
        phase = .draining
        for call in inOrder where call.isWatch || (!call.isReady && !call.isWorking) {
            sendLastEntry(to: call)
            interrupt(call, .draining)
        }
    }

    package mutating func endDrain() {
        phase = .draining
        for call in inOrder { interrupt(call, .draining) }
    }

    package mutating func connectionClosed() {
        for call in inOrder { remove(call, .cancelled) }
        ready.removeAll()
        news.removeAll()
    }

    /// In the order of ids, which unlike a dictionary's is the same in every process.
    private var inOrder: [RunningCall] { calls.values.sorted { $0.id < $1.id } }

    // MARK: Ends

    private mutating func fail(_ call: RunningCall, _ error: RPCError) {
        remove(call, error.code, error.reason)
        actions.append(.fail(call.id, error, because: nil))
    }

    /// Ends a stream without a fault of its own: its caller resumes elsewhere, or later, from the same point.
    private mutating func interrupt(_ call: RunningCall, _ interruption: Refusal) {
        let error = interruption.error.adding(metadata: call.place)
        remove(call, error.code, error.reason)
        actions.append(.fail(call.id, error, because: interruption.event))
    }

    /// Removes a call that sends nothing more, and stops its reading and its work.
    private mutating func remove(_ call: RunningCall, _ code: StatusCode = .ok, _ reason: ErrorReason? = nil) {
        calls[call.id] = nil
        call.isOver = true
        call.end.ended(code, reason)
        ended.append(call)
        stopReading(by: call)
        waitingByteCount -= call.waitingByteCount
        call.next = nil
        call.requests = nil
        guard call.isWorking else { return }
        stopping.insert(call.id)
        actions.append(.stopWork(of: call))
    }
}

/// Actions in their order, as two stacks: a circular buffer would copy each of them, with all that it refers to.
private struct ActionQueue {
    /// The next actions, the first one last.
    private var next: [CallAction] = []
    private var later: [CallAction] = []

    mutating func append(_ action: consuming CallAction) { later.append(action) }

    mutating func popFirst() -> CallAction? {
        if next.isEmpty, !later.isEmpty {
            swap(&next, &later)
            next.reverse()
        }
        return next.popLast()
    }
}

/// The messages that a caller takes.
package enum CallCredit: Sendable, Hashable {
    case unlimited
    case messages(UInt32)

    mutating func spend() -> Bool {
        switch self {
        case .unlimited: return true
        case .messages(0): return false
        case .messages(let count):
            self = .messages(count - 1)
            return true
        }
    }

    var isEmpty: Bool { self == .messages(0) }
}

/// The progress of a call that has begun and is not over.
package enum CallProgress: Sendable, Hashable {
    /// Its caller waits. A new call began less than 10 ms ago, and sent no message in an earlier turn.
    case open(isNew: Bool)
    /// It was answered or cancelled, and its work has not stopped.
    case stopping
}

extension CallRunner {
    // MARK: Steps

    /// Takes a step whose message has no credit yet, or holds it since its work began.
    private mutating func takeWithCredit(_ step: consuming Step, for call: RunningCall, now: NIODeadline) {
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

    private mutating func send(
        _ message: consuming any OutgoingMessage,
        of call: RunningCall,
        then rest: consuming RunningCall.Next?
    ) {
        if call.style == .response {
            call.end.byteCount = message.byteCount
            remove(call)
            return actions.append(.respond(call.id, message))
        }
        actions.append(.send(streamMessage(message, of: call, then: rest)))
    }

    /// The message in the form that the wire needs. With `isReady`, `rest` is sent at the call's next turn; otherwise
    /// the call waits.
    private mutating func streamMessage(
        _ message: consuming any OutgoingMessage,
        of call: RunningCall,
        then rest: consuming RunningCall.Next?,
        isReady: Bool = true
    ) -> StreamMessage {
        let isFirst = !call.end.hasSentMessage
        call.end.hasSentMessage = true
        call.end.byteCount += message.byteCount
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

    private mutating func end(_ call: RunningCall) {
        remove(call)
        switch call.style {
        case .response: actions.append(.respond(call.id, EncodedMessage(ByteBuffer())))
        case .stream: actions.append(.endStream(call.id))
        }
    }

    // MARK: Turns

    private mutating func makeReady(_ call: RunningCall) {
        guard !call.isReady else { return }
        call.isReady = true
        ready.append(call)
    }

    /// Pulls a source's next message, once the peer has granted credit for it. Returns the message of a stream, if any.
    private mutating func pull(_ source: any MessageSource, for call: RunningCall, now: NIODeadline) -> StreamMessage? {
        if call.isWatch, let cursor = source.cursor { return read(cursor, by: call, now: now) }
        guard call.spendCredit() else {
            call.next = .source(source)
            waitForCredit(call, now: now)
            return nil
        }
        call.end.endPause(now: now)
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

    private mutating func answerRequest(of call: RunningCall, now: NIODeadline) {
        guard let requests = call.requests else { return }
        guard let payload = requests.waiting else {
            if requests.isEnded { end(call) }
            return
        }
        guard call.spendCredit() else { return waitForCredit(call, now: now) }
        call.end.endPause(now: now)
        call.requests?.waiting = nil
        waitingByteCount -= payload.readableBytes
        do throws(RPCError) {
            send(try requests.conversation.answer(to: payload), of: call, then: nil)
        } catch {
            return fail(call, error)
        }
        if call.requests?.isEnded == true { makeReady(call) }
    }

    private mutating func waitForCredit(_ call: RunningCall, now: NIODeadline) {
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
}

extension CallRunner {
    /// Records new messages in a log, whose readers get their turns. Returns whether any call reads the log.
    package mutating func messagesAppended(to log: any MessageLog) -> Bool {
        guard let readers = logs[ObjectIdentifier(log)] else { return false }
        // Wake the calls only when they can send. Until then other connections are notified, and woken calls would
        // leave the processor's cache again.
        if !readers.hasNews { news.append(readers) }
        readers.messagesAppended()
        return true
    }

    private mutating func wakeReaders() {
        for readers in news {
            readers.hasNews = false
            for call in readers.calls where call.creditDeadline == nil { makeReady(call) }
        }
        news.removeAll(keepingCapacity: true)
    }

    private mutating func read(_ cursor: LogCursor, by call: RunningCall, now: NIODeadline) -> StreamMessage? {
        let id = ObjectIdentifier(cursor.log)
        let readers: LogReaders
        if let known = logs[id] {
            readers = known
        } else {
            readers = LogReaders(of: cursor.log)
            logs[id] = readers
            actions.append(.listen(cursor.log))
        }
        call.reading = RunningCall.Reading(readers: readers, place: readers.add(call), cursor: cursor)
        call.next = .entry
        return sendEntry(to: call, now: now)
    }

    /// Sends a call the next message of its log. Without one, the call waits. Returns the message of a stream, if any.
    private mutating func sendEntry(to call: RunningCall, now: NIODeadline) -> StreamMessage? {
        guard let number = call.reading?.cursor.number, let readers = call.reading?.readers else { return nil }
        switch readers.entry(after: number) {
        case .message(let message, let number):
            guard call.spendCredit() else {
                waitForCredit(call, now: now)
                return nil
            }
            guard call.style == .stream else {
                send(message, of: call, then: nil)
                return nil
            }
            call.reading?.cursor.number = number
            call.reading?.deadline = nil
            // A call that has read everything waits immediately: a turn to find that out took a fifth of a message's
            // time.
            let hasMore = readers.hasEntry(after: number)
            let sent = streamMessage(message, of: call, then: .entry, isReady: hasMore)
            if !hasMore { wait(call, now: now) }
            return sent
        case .missed:
            return goOn(call, now: now)
        case .nothing:
            if let deadline = call.reading?.deadline, deadline <= now { return goOn(call, now: now) }
            wait(call, now: now)
            return nil
        }
    }

    /// Before a call ends, sends the next message of its log, if there is credit: it may announce that the server
    /// stops.
    private mutating func sendLastEntry(to call: RunningCall) {
        guard call.style == .stream, let number = call.reading?.cursor.number, let readers = call.reading?.readers,
            case .message(let message, let last) = readers.entry(after: number), call.spendCredit()
        else { return }
        call.reading?.cursor.number = last
        actions.append(.send(streamMessage(message, of: call, then: .entry, isReady: false)))
    }

    private mutating func wait(_ call: RunningCall, now: NIODeadline) {
        // End it like every other stream that would have to wait.
        if phase == .inputClosed, call.style == .stream { return interrupt(call, .inputClosed) }
        let begun = call.reading?.deadline
        guard let deadline = begun ?? call.reading?.cursor.timeout.map({ now + $0 }) else { return }
        call.reading?.deadline = deadline
        checkTime(deadline)
    }

    private mutating func goOn(_ call: RunningCall, now: NIODeadline) -> StreamMessage? {
        guard let source = call.reading?.cursor.restOfStream() else { return nil }
        stopReading(by: call)
        return pull(source, for: call, now: now)
    }

    /// Gives a turn to a call whose wait for a message timed out, if it could send. Without credit it waits for the
    /// same time again.
    private mutating func timeOutReading(of call: RunningCall, now: NIODeadline) {
        if call.holdsCredit || !call.credit.isEmpty {
            makeReady(call)
        } else if let timeout = call.reading?.cursor.timeout {
            call.reading?.deadline = now + timeout
        }
    }

    private mutating func stopReading(by call: RunningCall) {
        guard let reading = call.reading else { return }
        let readers = reading.readers
        call.reading = nil
        readers.remove(at: reading.place)
        guard readers.calls.isEmpty else { return }
        logs[ObjectIdentifier(readers.log)] = nil
        actions.append(.stopListening(readers.log))
    }
}
