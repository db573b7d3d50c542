package import NIOCore

/// Which of a service's addresses to try next, and when.
///
/// They are tried in the order in which they were given, but the last good one first. One that fails is left alone for
/// a while of its own, longer with each failure. A value without a clock and without chance: both are arguments.
package struct AddressBook: Sendable {
    /// What a server may name besides those that are known.
    package static let maximumAlternatives = 8
    /// A server that says "come back in a year" is asked again sooner.
    package static let maximumAbsence = Duration.seconds(300)

    package static let defaultBackoff = Backoff(
        minimum: .milliseconds(50),
        initial: .milliseconds(200),
        maximum: .seconds(10)
    )

    private struct Absence {
        var failures = 0
        var end: NIODeadline
    }

    private let configured: [ServerAddress]
    private let backoff: Backoff
    /// Tried before the others: the last good one, or where a server that goes away sent its clients.
    private var preferred: [ServerAddress] = []
    /// The one that went away last.
    private var lastResort: ServerAddress?
    private var absences: [ServerAddress: Absence] = [:]

    package init(_ addresses: [ServerAddress], backoff: Backoff = AddressBook.defaultBackoff) {
        self.configured = addresses
        self.backoff = backoff
    }

    package enum OnAttempt: Sendable, Hashable {
        case connect(ServerAddress)
        /// Each has failed or gone away; this is when the first of them may be tried again.
        case wait(until: NIODeadline)
    }

    /// A connection is wanted. With no address at all it is wanted for ever.
    package func nextAttempt(now: NIODeadline) -> OnAttempt {
        var earliest = NIODeadline.distantFuture
        for address in order {
            guard let absence = absences[address], absence.end > now else { return .connect(address) }
            earliest = min(earliest, absence.end)
        }
        return .wait(until: earliest)
    }

    /// A server answered there.
    package mutating func succeeded(_ address: ServerAddress) {
        absences[address] = nil
        preferred = [address]
        lastResort = nil
    }

    /// No connection could be had, or it was lost before the server said anything.
    package mutating func failed(_ address: ServerAddress, now: NIODeadline, random: Double) {
        guard configured.contains(address) else {
            // Where one server sent us, and no one told us to ask.
            forget(address)
            return
        }
        let failures = (absences[address]?.failures ?? 0) + 1
        let delay = backoff.delay(afterFailures: failures, random: random)
        absences[address] = Absence(failures: failures, end: now + TimeAmount(delay))
    }

    /// Whoever did not answer may be tried again at once. A server that asked to be left alone still is.
    package mutating func forgetFailures() {
        absences = absences.filter { $0.value.failures == 0 }
    }

    /// The server there takes no more calls.
    ///
    /// - Parameters:
    ///   - address: Whose connection it was.
    ///   - retryAfter: How long to stay away from it.
    ///   - alternatives: Where it sends its clients, best first. What is no address is passed over, and so is a unix
    ///     socket: what is on this machine is not for a server to name.
    ///   - now: The time.
    package mutating func wentAway(
        _ address: ServerAddress,
        retryAfter: Duration?,
        alternatives: [String],
        now: NIODeadline
    ) {
        preferred = alternatives.prefix(Self.maximumAlternatives).compactMap(ServerAddress.init)
            .filter { $0 != address && $0.isTCP }
        lastResort = address
        guard let retryAfter, retryAfter > .zero, configured.contains(address) else { return }
        absences[address] = Absence(end: now + TimeAmount(min(retryAfter, Self.maximumAbsence)))
    }

    private var order: [ServerAddress] {
        let known = preferred + configured.filter { !preferred.contains($0) }
        guard let lastResort, known.contains(lastResort) else { return known }
        return known.filter { $0 != lastResort } + [lastResort]
    }

    private mutating func forget(_ address: ServerAddress) {
        preferred.removeAll { $0 == address }
        absences[address] = nil
        if lastResort == address { lastResort = nil }
    }
}

extension ServerAddress {
    fileprivate var isTCP: Bool {
        if case .tcp = self { return true }
        return false
    }
}
