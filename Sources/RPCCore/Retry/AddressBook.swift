package import NIOCore

/// Where a client may find its server, and which address it is the turn of.
///
/// The one that worked last comes first, then the others in the order in which they were given. One that failed is left
/// alone for a while, longer each time; so is one whose server said that it is stopping.
package struct AddressBook: Sendable {
    private struct Entry {
        let address: ServerAddress
        var failures = 0
        var notBefore: NIODeadline?
    }

    package enum Next: Sendable, Hashable {
        case connect(ServerAddress)
        /// All have to be left alone until then.
        case wait(until: NIODeadline)
        /// There is no address at all.
        case none
    }

    private let backoff: Backoff
    private let given: [ServerAddress]
    private var entries: [Entry]

    package init(_ addresses: [ServerAddress], backoff: Backoff = Backoff()) {
        self.backoff = backoff
        self.given = addresses
        self.entries = addresses.map { Entry(address: $0) }
    }

    package func next(now: NIODeadline) -> Next {
        if let ready = entries.first(where: { $0.notBefore.map { $0 <= now } ?? true }) {
            return .connect(ready.address)
        }
        guard let soonest = entries.compactMap(\.notBefore).min() else { return .none }
        return .wait(until: soonest)
    }

    /// Nobody answered there.
    package mutating func connectFailed(_ address: ServerAddress, now: NIODeadline, random: Double) {
        guard let index = index(of: address) else { return }
        entries[index].failures += 1
        let delay = backoff.delay(afterFailures: entries[index].failures, random: random)
        entries[index].notBefore = now + TimeAmount(delay)
    }

    /// The address has a connection: it is the first to try when that is lost.
    package mutating func connected(_ address: ServerAddress) {
        guard let index = index(of: address) else { return }
        entries.remove(at: index)
        entries.insert(Entry(address: address), at: 0)
    }

    /// The server there is stopping.
    ///
    /// - Parameters:
    ///   - address: Where it was.
    ///   - time: It may be back then.
    ///   - alternatives: Where to go meanwhile, tried before all others. They replace those offered before.
    package mutating func serverStopping(
        at address: ServerAddress,
        until time: NIODeadline,
        alternatives: [ServerAddress] = []
    ) {
        let known = entries.filter { given.contains($0.address) && !alternatives.contains($0.address) }
        entries = alternatives.map { Entry(address: $0) } + known
        guard let index = index(of: address) else { return }
        var stopping = entries.remove(at: index)
        stopping.notBefore = time
        entries.append(stopping)
    }

    private func index(of address: ServerAddress) -> Int? {
        entries.firstIndex { $0.address == address }
    }
}
