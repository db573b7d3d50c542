internal import NIOCore
package import RPCCore
internal import Synchronization

/// A log of numbered entries that watches read, each from the place where its caller left off.
///
/// It keeps the newest entries in memory, however large they are. Their numbers begin with 1 in each process, and have no
/// gaps. Any thread may append.
public final class RPCLog<Entry: RPCMessage>: Sendable {
    /// The entries of a log after a number, for one watch.
    public struct Entries: Sendable {
        let log: RPCLog
        let number: Int64
    }

    private struct State {
        var kept = CircularBuffer<EncodedMessage>()
        /// The number of the newest entry.
        var last: Int64 = 0
        var wakers: [Int: Waker] = [:]
        var lastKey = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: The number of entries to keep, at least 1.
    public init(capacity: Int) {
        precondition(capacity > 0, "a log keeps at least one entry")
        self.capacity = capacity
    }

    /// The number of the newest entry; 0 before the first.
    public var last: Int64 { state.withLock(\.last) }

    /// Appends an entry, and wakes the watches.
    ///
    /// - Returns: Its number.
    @discardableResult
    public func append(_ entry: Entry) -> Int64 {
        let message = entry.outgoing
        let (number, wakers) = state.withLock { state in
            state.kept.append(message)
            if state.kept.count > capacity { state.kept.removeFirst() }
            state.last += 1
            return (state.last, Array(state.wakers.values))
        }
        for waker in wakers { waker() }
        return number
    }

    /// The entries that follow a number, those that are kept and those to come.
    ///
    /// If the next entry is not kept any more, now or later, the watch ends with OUT_OF_RANGE (ENTRIES_MISSED): its caller
    /// reads the present state in another way, and watches from there.
    ///
    /// - Parameter number: The number of the last entry that the caller has; 0 for all entries.
    /// - Returns: The entries, for a method's `watch`.
    public func entries(after number: Int64) -> Entries { Entries(log: self, number: number) }

}

extension RPCLog: MessageLog {
    package func entry(after number: Int64) -> LogEntry {
        state.withLock { state in
            let first = state.last - Int64(state.kept.count) + 1
            guard number < state.last else { return number == state.last ? .nothing : .missed }
            guard number + 1 >= first else { return .missed }
            return .message(state.kept[offset: Int(number + 1 - first)], number: number + 1)
        }
    }

    package func listen(_ waker: Waker) -> @Sendable () -> Void {
        let key = state.withLock { state in
            state.lastKey += 1
            state.wakers[state.lastKey] = waker
            return state.lastKey
        }
        return { [self] in
            let waker = state.withLock { $0.wakers.removeValue(forKey: key) }
            _ = waker
        }
    }
}

/// The messages of a watch: those of its log, or the error that the next one is not kept.
final class LogSource<Entry: RPCMessage>: MessageSource {
    private let entries: RPCLog<Entry>.Entries
    private let hasMissed: Bool

    init(_ entries: RPCLog<Entry>.Entries, hasMissed: Bool = false) {
        self.entries = entries
        self.hasMissed = hasMissed
    }

    var cursor: LogCursor? {
        guard !hasMissed else { return nil }
        return LogCursor(entries.log, after: entries.number) { [entries] in
            LogSource(entries.log.entries(after: $0), hasMissed: true)
        }
    }

    func next() throws(RPCError) -> Step {
        throw RPCError(
            .outOfRange,
            reason: ErrorReason(rawValue: "ENTRIES_MISSED"),
            "the entry after \(entries.number) is not kept: read the present state, and watch from there",
            metadata: place
        )
    }

    var place: [String: String] { ["number": "\(entries.number)"] }
}
