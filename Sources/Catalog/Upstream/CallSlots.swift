internal import RPCCore

/// Places for calls that are under way at once, and a fair queue of those that wait for one.
///
/// A free place goes to the waiting caller with the fewest calls under way; among equals callers take turns, and the
/// calls of one caller keep their order. When the queue is full, the caller that fills most of it loses its last call to
/// one that has less in it.
struct CallSlots: Sendable {
    typealias Ticket = UInt64

    enum OnWait: Equatable {
        case wait
        /// It waits, and that other call waits no longer: its caller fills most of the queue.
        case displace(Ticket)
        /// The queue is full, and nobody fills more of it than this caller.
        case refuse
    }

    /// The waiting calls of one caller.
    private struct Line {
        var tickets: [Ticket]
        /// The caller with the smallest number has waited for its turn longest.
        var turn: UInt64
    }

    private let maximumUnderWay: Int
    private let maximumWaiting: Int
    private(set) var underWay = 0
    private(set) var waitingCount = 0
    /// No entry is 0.
    private var underWayCounts: [CallerID: Int] = [:]
    /// No line is empty.
    private var lines: [CallerID: Line] = [:]
    private var callers: [Ticket: CallerID] = [:]
    private var lastTurn: UInt64 = 0

    init(maximumUnderWay: Int, maximumWaiting: Int) {
        self.maximumUnderWay = maximumUnderWay
        self.maximumWaiting = maximumWaiting
    }

    var isFull: Bool { underWay >= maximumUnderWay }

    mutating func begin(_ caller: CallerID) {
        underWay += 1
        underWayCounts[caller, default: 0] += 1
    }

    mutating func end(_ caller: CallerID) {
        underWay -= 1
        let left = (underWayCounts[caller] ?? 0) - 1
        underWayCounts[caller] = left > 0 ? left : nil
    }

    mutating func wait(_ ticket: Ticket, of caller: CallerID) -> OnWait {
        guard waitingCount >= maximumWaiting else {
            append(ticket, of: caller)
            return .wait
        }
        let longest = lines.max { $0.value.tickets.count < $1.value.tickets.count }
        guard let line = longest?.value, line.tickets.count > (lines[caller]?.tickets.count ?? 0) + 1,
            let displaced = line.tickets.last
        else { return .refuse }
        _ = withdraw(displaced)
        append(ticket, of: caller)
        return .displace(displaced)
    }

    /// The call whose turn it is; it waits no longer.
    mutating func next() -> (ticket: Ticket, caller: CallerID)? {
        let next = lines.min { (underWayCount(of: $0.key), $0.value.turn) < (underWayCount(of: $1.key), $1.value.turn) }
        guard let caller = next?.key, let ticket = next?.value.tickets.first else { return nil }
        _ = withdraw(ticket)
        let turn = nextTurn()
        lines[caller]?.turn = turn
        return (ticket, caller)
    }

    /// - Returns: Whether it waited.
    mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let caller = callers.removeValue(forKey: ticket), var line = lines[caller] else { return false }
        line.tickets.removeAll { $0 == ticket }
        lines[caller] = line.tickets.isEmpty ? nil : line
        waitingCount -= 1
        return true
    }

    private mutating func append(_ ticket: Ticket, of caller: CallerID) {
        // Whoever comes anew is behind all that wait: coming again and again gains nothing.
        let line = Line(tickets: [], turn: nextTurn())
        lines[caller, default: line].tickets.append(ticket)
        callers[ticket] = caller
        waitingCount += 1
    }

    private func underWayCount(of caller: CallerID) -> Int { underWayCounts[caller] ?? 0 }

    private mutating func nextTurn() -> UInt64 {
        lastTurn += 1
        return lastTurn
    }
}
