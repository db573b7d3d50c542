package import NIOCore

/// Finds the peer that is gone without a word: one that has been silent is asked for a sign of life, and given up if
/// none comes. Both ends use it.
///
/// A value without a clock: events carry the time, and `nextCheck` says when `check` could have something to say. It
/// moves with what arrives, so a timer that is set for it may go off early; then `check` answers `.nothing`.
package struct Keepalive: Sendable {
    /// Pings are no closer together than this, whatever `interval` says: to the peer, more of them are a flood.
    package static let minimumInterval = Duration.seconds(10)

    private let interval: TimeAmount
    private let timeout: TimeAmount
    private var lastSign: NIODeadline
    /// When a Ping was sent that nothing has followed yet.
    private var pingSent: NIODeadline?

    /// - Parameters:
    ///   - interval: How long the peer may be silent before it is asked; 10 s or more.
    ///   - timeout: How long it may then take to send anything.
    ///   - now: When the connection opened.
    package init(interval: Duration = .seconds(120), timeout: Duration = .seconds(20), now: NIODeadline) {
        self.interval = TimeAmount(max(interval, Self.minimumInterval))
        self.timeout = TimeAmount(timeout)
        self.lastSign = now
    }

    /// Anything from the peer is a sign of life, not only a Pong.
    package mutating func bytesReceived(now: NIODeadline) {
        lastSign = now
        pingSent = nil
    }

    /// When to call `check`.
    package var nextCheck: NIODeadline {
        guard let pingSent else { return lastSign + interval }
        return pingSent + timeout
    }

    package enum OnCheck: Sendable, Hashable {
        case nothing
        case sendPing
        /// The peer is gone: close the connection.
        case close
    }

    package mutating func check(now: NIODeadline) -> OnCheck {
        guard nextCheck <= now else { return .nothing }
        guard pingSent == nil else { return .close }
        pingSent = now
        return .sendPing
    }
}
