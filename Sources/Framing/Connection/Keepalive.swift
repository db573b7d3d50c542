package import NIOCore

/// Finds the peer that is gone without having said so: whoever is silent for long is asked for a sign of life.
///
/// A value without a clock: events carry the time. Anything that arrives is such a sign, not only the answer.
package struct Keepalive: Sendable {
    /// A Ping is sent no more often, whatever the settings: peers count more as a flood.
    package static let minimumInterval = Duration.seconds(10)

    private let interval: TimeAmount
    private let timeout: Duration
    package private(set) var lastReceived: NIODeadline
    /// When the Ping that has no answer yet was sent.
    private var pinged: NIODeadline?

    /// - Parameters:
    ///   - interval: How long the peer may be silent before it is asked; at least 10 s.
    ///   - timeout: How long it may take to answer.
    ///   - now: The time.
    package init(interval: Duration = .seconds(120), timeout: Duration = .seconds(20), now: NIODeadline) {
        self.interval = TimeAmount(max(interval, Keepalive.minimumInterval))
        self.timeout = timeout
        self.lastReceived = now
    }

    package mutating func bytesReceived(now: NIODeadline) {
        lastReceived = now
        pinged = nil
    }

    /// When `check` could have something to say.
    package var nextCheck: NIODeadline {
        pinged.map { $0 + TimeAmount(timeout) } ?? lastReceived + interval
    }

    package enum OnCheck: Sendable, Hashable {
        case nothing
        case sendPing
        case close(ConnectionError)
    }

    package mutating func check(now: NIODeadline) -> OnCheck {
        guard now >= nextCheck else { return .nothing }
        guard pinged == nil else { return .close(.keepaliveTimeout(after: timeout)) }
        pinged = now
        return .sendPing
    }
}
