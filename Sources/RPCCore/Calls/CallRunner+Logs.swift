internal import NIOCore

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

    mutating func wakeReaders() {
        for readers in news {
            readers.hasNews = false
            for call in readers.calls where call.creditDeadline == nil { makeReady(call) }
        }
        news.removeAll(keepingCapacity: true)
    }

    mutating func read(_ cursor: LogCursor, by call: RunningCall, now: NIODeadline) -> StreamMessage? {
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
    mutating func sendEntry(to call: RunningCall, now: NIODeadline) -> StreamMessage? {
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
    mutating func sendLastEntry(to call: RunningCall) {
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
    mutating func timeOutReading(of call: RunningCall, now: NIODeadline) {
        if call.holdsCredit || !call.credit.isEmpty {
            makeReady(call)
        } else if let timeout = call.reading?.cursor.timeout {
            call.reading?.deadline = now + timeout
        }
    }

    mutating func stopReading(by call: RunningCall) {
        guard let reading = call.reading else { return }
        let readers = reading.readers
        call.reading = nil
        readers.remove(at: reading.place)
        guard readers.calls.isEmpty else { return }
        logs[ObjectIdentifier(readers.log)] = nil
        actions.append(.stopListening(readers.log))
    }
}
