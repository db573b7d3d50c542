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
        interval: Duration,
        minimum: Duration = Keepalive.minimumInterval,
        timeout: Duration,
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

/// A timer that finds a connection that nobody has used for a long time.
///
/// It is checked once per `timeout` while calls are made, so a call costs no timer.
package struct IdleTimer: Sendable {
    package let timeout: Duration
    private var idleSince: NIODeadline
    package private(set) var nextCheck: NIODeadline

    package init(timeout: Duration, now: NIODeadline) {
        self.timeout = timeout
        self.idleSince = now
        self.nextCheck = now + TimeAmount(timeout)
    }

    /// Notes that a call, or another request, has ended.
    package mutating func noteUse(now: NIODeadline) { idleSince = now }

    /// Whether the connection was not used for the whole timeout. Then the next check is a timeout later, because a
    /// connection may need some time to end.
    package mutating func isExpired(now: NIODeadline, isInUse: Bool) -> Bool {
        guard nextCheck <= now else { return false }
        let end = (isInUse ? now : idleSince) + TimeAmount(timeout)
        nextCheck = end <= now ? now + TimeAmount(timeout) : end
        return end <= now
    }
}

/// The limit of a connection's age (gRFC A9), which brings clients to new servers.
///
/// A connection that is old enough drains, and its calls have some time to end. The ages of connections that began
/// together differ by up to a tenth in both directions. So their clients do not come back together.
package struct ConnectionAge: Sendable {
    package enum Action: Sendable, Hashable {
        case drain
        case endDrain
    }

    /// The range of the part that is added to the age.
    package static let jitter = -0.1...0.1

    private var steps: [(time: NIODeadline, action: Action)]

    /// - Parameters:
    ///   - maximum: The age at which a connection drains.
    ///   - grace: The time that its calls may take to end.
    ///   - jitter: The part of the age that is added, within `ConnectionAge.jitter`.
    ///   - now: The time at which the connection begins.
    package init(maximum: Duration, grace: Duration, jitter: Double, now: NIODeadline) {
        let end = now + TimeAmount(maximum * (1 + jitter))
        steps = [(end, .drain), (end + TimeAmount(grace), .endDrain)]
    }

    package var nextCheck: NIODeadline? { steps.first?.time }

    /// The action that is due; each is returned once.
    package mutating func check(now: NIODeadline) -> Action? {
        guard let first = steps.first, first.time <= now else { return nil }
        steps.removeFirst()
        return first.action
    }
}
