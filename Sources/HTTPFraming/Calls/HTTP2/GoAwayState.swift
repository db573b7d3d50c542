package import NIOCore
package import RPCCore

/// The progress of a connection's drain, and the GOAWAY frames of a server (RFC 9113, section 6.8).
///
///     serving ──drainBegan──▶ announced ──announcementEnded──▶ final
///
/// The first GOAWAY forbids no stream, because the peer may have begun some before it reads that. When it has read it, or
/// after a second, the final one names the last stream.
package struct GoAwayState: Sendable {
    private enum Phase: Sendable {
        case serving
        /// The peer was told to begin no more calls. Moves to `final` at this time, if the peer does not answer before.
        case announced(until: NIODeadline)
        /// The last call is named. Later ones are refused.
        case final
    }

    /// The maximum time that the answer to the announcement of a drain is waited for.
    package static let announcementTime = TimeAmount.seconds(1)

    private var phase = Phase.serving
    /// The reason of the drain, for the log of the peer; nil if there is none.
    package private(set) var reason: String?
    /// The last stream that the peer has begun.
    package private(set) var lastStream = StreamID(rawValue: 0)

    package init() {}

    // MARK: The drain

    package var isDraining: Bool {
        if case .serving = phase { false } else { true }
    }

    /// Whether the peer was told which call is its last.
    package var isFinal: Bool {
        if case .final = phase { true } else { false }
    }

    /// The time at which to call `announcementEnded`; nil if there is none.
    package var announcementEnd: NIODeadline? {
        if case .announced(let end) = phase { end } else { nil }
    }

    /// Begins a drain.
    ///
    /// - Returns: Whether the first GOAWAY has to be sent. It has not if the drain has begun before.
    package mutating func drainBegan(because reason: String?, now: NIODeadline) -> Bool {
        guard !isDraining else { return false }
        self.reason = reason
        phase = .announced(until: now + Self.announcementTime)
        return true
    }

    /// Notes that the peer has answered the announcement, or that its time is over.
    ///
    /// - Returns: Whether the final GOAWAY has to be sent.
    package mutating func announcementEnded() -> Bool {
        guard case .announced = phase else { return false }
        phase = .final
        return true
    }

    // MARK: Streams

    package mutating func streamBegan(_ id: StreamID) { lastStream = max(lastStream, id) }
}
