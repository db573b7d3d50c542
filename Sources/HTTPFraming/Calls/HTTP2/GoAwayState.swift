package import NIOCore
package import RPCCore

/// The progress of a connection's drain, and the GOAWAY frames of a server (RFC 9113, section 6.8).
///
///     serving ──drainBegan──▶ announced ──announcementEnded──▶ final
///
/// The first GOAWAY forbids no stream, because the peer may have begun some before it reads that. When it has read it,
/// or after a second, the final one names the last stream.
package struct GoAwayState: Sendable {
    private enum Phase: Sendable {
        case serving
        /// The peer must begin no more calls. Moves to `final` at this time, if the peer does not answer before.
        case announced(until: NIODeadline)
        /// The last call is named. Later ones are refused.
        case final
    }

    /// The maximum wait for the answer to the announcement of a drain.
    package static let announcementTime = TimeAmount.seconds(1)

    private var phase = Phase.serving
    package private(set) var reason: String?
    package private(set) var lastStream = StreamID(rawValue: 0)

    package init() {}

    // MARK: The drain

    package var isDraining: Bool {
        if case .serving = phase { false } else { true }
    }

    package var isFinal: Bool {
        if case .final = phase { true } else { false }
    }

    /// The time at which to call `announcementEnded`, if any.
    package var announcementEnd: NIODeadline? {
        if case .announced(let end) = phase { end } else { nil }
    }

    /// Whether to send the first GOAWAY: not if the drain has begun before.
    package mutating func drainBegan(because reason: String?, now: NIODeadline) -> Bool {
        guard !isDraining else { return false }
        self.reason = reason
        phase = .announced(until: now + Self.announcementTime)
        return true
    }

    /// The peer has answered the announcement, or its time is over.
    ///
    /// - Returns: Whether to send the final GOAWAY.
    package mutating func announcementEnded() -> Bool {
        guard case .announced = phase else { return false }
        phase = .final
        return true
    }

    // MARK: Streams

    package mutating func streamBegan(_ id: StreamID) { lastStream = max(lastStream, id) }
}
