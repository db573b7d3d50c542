internal import NIOCore

/// The calls that read logs: their turns, and their waits for messages.
extension CallRunner {
    /// Notes that messages were appended to a log. The calls that wait for them get their turns.
    ///
    /// - Returns: Whether a call reads the log, so that there may be something to send.
    package mutating func messagesAppended(to log: any MessageLog) -> Bool {
        guard let readers = logs[ObjectIdentifier(log)] else { return false }
        // The calls are woken when they can send: until then other connections are told, and every call that was looked
        // at would have left the processor's cache again.
        if !readers.hasNews { news.append(readers) }
        readers.messagesAppended()
        return true
    }

    /// Wakes the calls that read the logs to which messages were appended.
    mutating func wakeReaders() {
        for readers in news {
            readers.hasNews = false
            for call in readers.calls where call.creditDeadline == nil { makeReady(call) }
        }
        news.removeAll(keepingCapacity: true)
    }

    /// Lets a call read a log from a position on.
    ///
    /// - Returns: The next message of a stream, if there is one.
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

    /// Sends a call the next message of the log that it reads. Without one, the call waits.
    ///
    /// - Returns: The message of a stream, if there is one.
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
            // A call that has read everything waits at once: a turn to find that out took a fifth of a message's time.
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

    /// Sends a call that is about to end the next message of the log that it reads, if there is one and credit for it: it may
    /// say that the server stops.
    mutating func sendLastEntry(to call: RunningCall) {
        guard call.style == .stream, let number = call.reading?.cursor.number, let readers = call.reading?.readers,
            case .message(let message, let last) = readers.entry(after: number), call.spendCredit()
        else { return }
        call.reading?.cursor.number = last
        actions.append(.send(streamMessage(message, of: call, then: .entry, isReady: false)))
    }

    /// Lets a call wait for a message of the log that it reads.
    private mutating func wait(_ call: RunningCall, now: NIODeadline) {
        // End it like every other stream that would have to wait.
        if phase == .inputClosed, call.style == .stream { return interrupt(call, .inputClosed) }
        let begun = call.reading?.deadline
        guard let deadline = begun ?? call.reading?.cursor.timeout.map({ now + $0 }) else { return }
        call.reading?.deadline = deadline
        checkTime(deadline)
    }

    /// Lets a call go on without the log, from the same position.
    private mutating func goOn(_ call: RunningCall, now: NIODeadline) -> StreamMessage? {
        guard let source = call.reading?.cursor.restOfStream() else { return nil }
        stopReading(by: call)
        return pull(source, for: call, now: now)
    }

    /// Gives a turn to a call that has waited for a message for too long, if it could send. Without credit it waits for the
    /// same time again.
    mutating func timeOutReading(of call: RunningCall, now: NIODeadline) {
        if call.holdsCredit || !call.credit.isEmpty {
            makeReady(call)
        } else if let timeout = call.reading?.cursor.timeout {
            call.reading?.deadline = now + timeout
        }
    }

    /// Ends the reading of a call, if it reads a log.
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
