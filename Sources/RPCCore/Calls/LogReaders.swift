final class LogReaders {
    let log: any MessageLog
    private(set) var calls: [RunningCall] = []
    var hasNews = false
    /// A cache of the last read message and the number before it: most calls read the same one.
    private var last: (after: Int64, entry: LogEntry)?
    /// The number of the log's last message, if known.
    private var end: Int64?

    init(of log: any MessageLog) { self.log = log }

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
        // The log may have evicted its earlier messages.
        (last, end) = (nil, nil)
    }

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

    func hasEntry(after number: Int64) -> Bool {
        if number == end { return false }
        if case .nothing = entry(after: number) { return false }
        return true
    }
}
