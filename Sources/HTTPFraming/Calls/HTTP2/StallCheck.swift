package import NIOCore

/// The times at which a connection is checked for streams of whose DATA the peer takes no byte.
package struct StallCheck: Sendable {
    private let interval: TimeAmount
    /// The time of the next check; nil while no DATA waits.
    package private(set) var nextCheck: NIODeadline?

    /// - Parameter interval: The time between two checks, in which a byte has to be taken.
    package init(interval: Duration) { self.interval = TimeAmount(interval) }

    /// Notes that DATA waits.
    package mutating func dataWaits(now: NIODeadline) {
        if nextCheck == nil { nextCheck = now + interval }
    }

    /// Returns whether the streams have to be checked now.
    package mutating func isDue(now: NIODeadline) -> Bool {
        guard let check = nextCheck, check <= now else { return false }
        nextCheck = nil
        return true
    }
}
