/// The state machine of shared work: callers with the same key share the work, and it is dropped when the last leaves.
struct SingleFlight<Key: Hashable & Sendable>: Sendable {
    /// The id of one piece of work. Later work with the same key has a new id.
    typealias FlightID = UInt64
    typealias Waiter = UInt64

    private struct Flight {
        let id: FlightID
        var waiters: Set<Waiter> = []
        /// The latest deadline of all callers that ever waited; nil if one of them had no deadline.
        var deadline: Moment?
        /// Whether the work continues without waiters, because they got a preliminary answer.
        var isKept = false
    }

    /// The action for a new waiter.
    enum OnJoin: Equatable {
        /// Starting the work: this is the first waiter.
        case begin(FlightID)
        case wait(FlightID)
        /// Taking the preliminary answer at once, while the work continues.
        case takeEarly(FlightID)
    }

    private var flights: [Key: Flight] = [:]
    private var lastID: FlightID = 0

    mutating func joined(_ waiter: Waiter, _ key: Key, deadline: Moment?) -> OnJoin {
        if var flight = flights[key] {
            if flight.isKept { return .takeEarly(flight.id) }
            flight.waiters.insert(waiter)
            flight.deadline = flight.deadline.flatMap { old in deadline.map { max(old, $0) } }
            flights[key] = flight
            return .wait(flight.id)
        }
        lastID += 1
        flights[key] = Flight(id: lastID, waiters: [waiter], deadline: deadline)
        return .begin(lastID)
    }

    /// Removes a waiter that no longer needs the answer.
    ///
    /// - Returns: The work to drop, if no waiter is left.
    mutating func left(_ waiter: Waiter, _ key: Key) -> FlightID? {
        guard var flight = flights[key], flight.waiters.remove(waiter) != nil else { return nil }
        let isOver = flight.waiters.isEmpty && !flight.isKept
        flights[key] = isOver ? nil : flight
        return isOver ? flight.id : nil
    }

    /// Records that there is a preliminary answer. The work continues for later callers.
    ///
    /// - Returns: The waiters that get the preliminary answer.
    mutating func answeredEarly(_ id: FlightID, _ key: Key) -> Set<Waiter> {
        guard var flight = flights[key], flight.id == id else { return [] }
        defer { flights[key] = flight }
        flight.isKept = true
        defer { flight.waiters = [] }
        return flight.waiters
    }

    /// Records that the work is done.
    ///
    /// - Returns: The waiters that get the answer; none if the work was dropped meanwhile.
    mutating func ended(_ id: FlightID, _ key: Key) -> Set<Waiter> {
        guard let flight = flights[key], flight.id == id else { return [] }
        flights[key] = nil
        return flight.waiters
    }

    func deadline(of id: FlightID, _ key: Key) -> Moment? {
        guard let flight = flights[key], flight.id == id else { return nil }
        return flight.deadline
    }
}
