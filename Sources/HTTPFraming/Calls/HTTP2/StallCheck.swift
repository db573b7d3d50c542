package import NIOCore

/// The times of checks for streams of whose DATA the peer takes no byte.
package struct StallCheck: Sendable {
    private let interval: TimeAmount
    /// Nil while no DATA waits.
    package private(set) var nextCheck: NIODeadline?

    /// - Parameter interval: The time between two checks, in which a byte must be taken.
    package init(interval: Duration) { self.interval = TimeAmount(interval) }

    package mutating func dataWaits(now: NIODeadline) {
        if nextCheck == nil { nextCheck = now + interval }
    }

    package mutating func isDue(now: NIODeadline) -> Bool {
        guard let check = nextCheck, check <= now else { return false }
        nextCheck = nil
        return true
    }
}
