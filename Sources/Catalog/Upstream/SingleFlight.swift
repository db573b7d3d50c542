/// Who waits for what: many callers that want the same share the work, and it is dropped when the last of them leaves.
struct SingleFlight<Key: Hashable & Sendable>: Sendable {
    /// Of one piece of work: a later one for the same key is another.
    typealias FlightID = UInt64
    typealias Waiter = UInt64

    private struct Flight {
        let id: FlightID
        var waiters: Set<Waiter> = []
        /// When the last of those who ever waited will have gone; nil: one of them has time.
        var deadline: Moment?
        /// It goes on whoever leaves: those who waited have got something older for now.
        var isKept = false
    }

    enum OnJoin: Equatable {
        /// The first: the work is to be begun.
        case begin(FlightID)
        case wait(FlightID)
        /// The work goes on, and there is something older to be had at once.
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

    /// A waiter no longer wants the answer.
    ///
    /// - Returns: The work to be dropped, if nobody is left to want it.
    mutating func left(_ waiter: Waiter, _ key: Key) -> FlightID? {
        guard var flight = flights[key], flight.waiters.remove(waiter) != nil else { return nil }
        let isOver = flight.waiters.isEmpty && !flight.isKept
        flights[key] = isOver ? nil : flight
        return isOver ? flight.id : nil
    }

    /// There is something older that will do for now.
    ///
    /// - Returns: Who gets it. The work goes on for those who come later.
    mutating func answeredEarly(_ id: FlightID, _ key: Key) -> Set<Waiter> {
        guard var flight = flights[key], flight.id == id else { return [] }
        defer { flights[key] = flight }
        flight.isKept = true
        defer { flight.waiters = [] }
        return flight.waiters
    }

    /// The work is done.
    ///
    /// - Returns: Who gets the answer; nobody if it was dropped meanwhile.
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
