package import NIOCore

/// The liveness check of a peer: a silent peer gets a Ping, and is dead if it stays silent.
///
/// It is a value without a clock: events carry the time. Any received byte is a sign of life, not only the Pong.
package struct Keepalive: Sendable {
    /// The minimum time between two Pings: peers treat more frequent ones as a flood.
    package static let minimumInterval = Duration.seconds(10)

    private let interval: TimeAmount
    private let timeout: Duration
    package private(set) var lastReceived: NIODeadline
    private var pinged: NIODeadline?

    /// `interval` is the silence after which a Ping is sent, at least `minimum`. `timeout` is the peer's time to
    /// answer.
    package init(
        interval: Duration = .seconds(120),
        minimum: Duration = Keepalive.minimumInterval,
        timeout: Duration = .seconds(20),
        now: NIODeadline
    ) {
        self.interval = TimeAmount(max(interval, minimum))
        self.timeout = timeout
        self.lastReceived = now
    }

    package init(_ limits: PeerLimits, now: NIODeadline) {
        self.init(
            interval: limits.keepaliveInterval,
            minimum: limits.minimumKeepaliveInterval,
            timeout: limits.keepaliveTimeout,
            now: now
        )
    }

    package mutating func bytesReceived(now: NIODeadline) {
        lastReceived = now
        pinged = nil
    }

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
