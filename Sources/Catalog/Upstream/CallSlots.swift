/// Places for calls that are under way at once, and a line of those that wait for one.
struct CallSlots: Sendable, Hashable {
    private let maximumUnderWay: Int
    private let maximumWaiting: Int
    private(set) var underWay = 0
    /// First come, first served.
    private var waiting: [UpstreamGate.Ticket] = []

    init(maximumUnderWay: Int, maximumWaiting: Int) {
        self.maximumUnderWay = maximumUnderWay
        self.maximumWaiting = maximumWaiting
    }

    var waitingCount: Int { waiting.count }
    var isFull: Bool { underWay >= maximumUnderWay }

    /// - Returns: Whether there is a place in the line.
    mutating func wait(_ ticket: UpstreamGate.Ticket) -> Bool {
        guard waiting.count < maximumWaiting else { return false }
        waiting.append(ticket)
        return true
    }

    mutating func begin() { underWay += 1 }
    mutating func end() { underWay -= 1 }

    /// The first in the line, which leaves it.
    mutating func next() -> UpstreamGate.Ticket? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// - Returns: Whether it was in the line.
    mutating func withdraw(_ ticket: UpstreamGate.Ticket) -> Bool {
        guard let index = waiting.firstIndex(of: ticket) else { return false }
        waiting.remove(at: index)
        return true
    }
}
