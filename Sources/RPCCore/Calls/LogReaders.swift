/// A log, and the calls of one connection that read it.
final class LogReaders {
    let log: any MessageLog
    private(set) var calls: [RunningCall] = []
    /// Whether messages were appended for which the calls have not been woken yet.
    var hasNews = false
    /// The last message that was read since, and the number that it was read after: most calls read the same one.
    private var last: (after: Int64, entry: LogEntry)?
    /// The number after which there is no message.
    private var end: Int64?

    init(of log: any MessageLog) { self.log = log }

    /// Adds a call, which keeps its place in `calls`.
    ///
    /// - Returns: The place.
    func add(_ call: RunningCall) -> Int {
        calls.append(call)
        return calls.count - 1
    }

    /// Removes the call at a place. The last call takes that place.
    func remove(at place: Int) {
        calls.swapAt(place, calls.count - 1)
        calls.removeLast()
        if place < calls.count { calls[place].reading?.place = place }
    }

    func messagesAppended() {
        hasNews = true
        // The log may keep its earlier messages no longer.
        (last, end) = (nil, nil)
    }

    /// Returns the message after a number.
    func entry(after number: Int64) -> LogEntry {
        if number == end { return .nothing }
        if let last, last.after == number { return last.entry }
        let entry = log.entry(after: number)
        switch entry {
        case .message: last = (number, entry)
        case .nothing: end = number
        case .missed: break
        }
        return entry
    }

    /// Returns whether there is a message after a number, or some were missed.
    func hasEntry(after number: Int64) -> Bool {
        if number == end { return false }
        if case .nothing = entry(after: number) { return false }
        return true
    }
}
