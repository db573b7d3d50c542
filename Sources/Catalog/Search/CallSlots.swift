package import RPCCore

/// Slots for concurrent calls, and a fair queue. A free slot goes to the caller with the fewest running calls. Callers
/// with equally many take turns. The calls of one caller keep their order.
///
/// In a full queue, a new call displaces the last call of the caller with the most waiting calls. It is refused if its
/// own caller has as many.
package struct CallSlots: Sendable {
    package typealias Ticket = UInt64

    package enum OnWait: Equatable {
        case wait
        case displace(Ticket)
        case refuse
    }

    private struct CallerQueue {
        var tickets: [Ticket]
        /// The caller with the smallest number has waited longest.
        var turn: UInt64
    }

    private let maximumUnderWay: Int
    private let maximumWaiting: Int
    package private(set) var underWay = 0
    package private(set) var waitingCount = 0
    private var underWayCounts: [CallerID: Int] = [:]
    private var queues: [CallerID: CallerQueue] = [:]
    private var callers: [Ticket: CallerID] = [:]
    private var lastTurn: UInt64 = 0

    private let shares: CallerShares

    package init(maximumUnderWay: Int, maximumWaiting: Int, shares: CallerShares = .unlimited) {
        self.maximumUnderWay = maximumUnderWay
        self.maximumWaiting = maximumWaiting
        self.shares = shares
    }

    /// Nil unless the maximum is reached.
    package func fullShare(of caller: CallerID) -> Int? {
        let maximum = shares.maximum(of: caller)
        return underWayCount(of: caller) + (queues[caller]?.tickets.count ?? 0) >= maximum ? maximum : nil
    }

    package var isFull: Bool { underWay >= maximumUnderWay }

    package mutating func begin(_ caller: CallerID) {
        underWay += 1
        underWayCounts[caller, default: 0] += 1
    }

    package mutating func end(_ caller: CallerID) {
        underWay -= 1
        let left = (underWayCounts[caller] ?? 0) - 1
        underWayCounts[caller] = left > 0 ? left : nil
    }

    package mutating func wait(_ ticket: Ticket, of caller: CallerID) -> OnWait {
        guard waitingCount >= maximumWaiting else {
            append(ticket, of: caller)
            return .wait
        }
        let longest = queues.max { $0.value.tickets.count < $1.value.tickets.count }
        guard let queue = longest?.value, queue.tickets.count > (queues[caller]?.tickets.count ?? 0) + 1,
            let displaced = queue.tickets.last
        else { return .refuse }
        _ = withdraw(displaced)
        append(ticket, of: caller)
        return .displace(displaced)
    }

    package mutating func next() -> (ticket: Ticket, caller: CallerID)? {
        let next = queues.min {
            (underWayCount(of: $0.key), $0.value.turn) < (underWayCount(of: $1.key), $1.value.turn)
        }
        guard let caller = next?.key, let ticket = next?.value.tickets.first else { return nil }
        _ = withdraw(ticket)
        let turn = nextTurn()
        queues[caller]?.turn = turn
        return (ticket, caller)
    }

    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let caller = callers.removeValue(forKey: ticket), var queue = queues[caller] else { return false }
        queue.tickets.removeAll { $0 == ticket }
        queues[caller] = queue.tickets.isEmpty ? nil : queue
        waitingCount -= 1
        return true
    }

    private mutating func append(_ ticket: Ticket, of caller: CallerID) {
        // A new caller gets the last turn, so that leaving and returning gives no advantage.
        let queue = CallerQueue(tickets: [], turn: nextTurn())
        queues[caller, default: queue].tickets.append(ticket)
        callers[ticket] = caller
        waitingCount += 1
    }

    private func underWayCount(of caller: CallerID) -> Int { underWayCounts[caller] ?? 0 }

    private mutating func nextTurn() -> UInt64 {
        lastTurn += 1
        return lastTurn
    }
}
