package import NIOCore

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
