/// The counts of wrong tokens by address, so that an address that sends too many is slowed down.
///
/// A token cannot be guessed: the limit keeps an address that tries from taking the time of others. The memory is limited:
/// above its number of addresses, an address that was counted the longest time ago is forgotten.
package struct TokenFailures: Sendable {
    /// The wrong tokens that an address may send at once.
    static let burst = 100
    /// The wrong tokens a second that an address may send after that.
    package static let perSecond = 10
    static let maximumAddresses = 4_096

    /// A count that falls with time.
    private struct Count {
        var value: Double
        /// The time of the value, in seconds on a monotonic clock.
        var time: Double
    }

    private var counts: [PeerAddress?: Count] = [:]
    /// The addresses in the order of their first failures.
    private var order: [PeerAddress?] = []

    package init() {}

    /// Counts a wrong token.
    ///
    /// - Parameters:
    ///   - address: The address that it came from.
    ///   - now: The time, in seconds on a monotonic clock.
    /// - Returns: Whether the address has sent too many.
    package mutating func failed(_ address: PeerAddress?, now: Double) -> Bool {
        var count = counts[address] ?? begin(address, now: now)
        count.value = max(0, count.value - (now - count.time) * Double(Self.perSecond))
        count.time = now
        let isExceeded = count.value + 1 > Double(Self.burst)
        // A refused failure is not counted: the address is free again as soon as it stops.
        if !isExceeded { count.value += 1 }
        counts[address] = count
        return isExceeded
    }

    private mutating func begin(_ address: PeerAddress?, now: Double) -> Count {
        if counts.count >= Self.maximumAddresses {
            // A quarter at once, so that the order is not moved with each address.
            for old in order.prefix(Self.maximumAddresses / 4) { counts[old] = nil }
            order.removeFirst(min(order.count, Self.maximumAddresses / 4))
        }
        order.append(address)
        return Count(value: 0, time: now)
    }

    package var addressCount: Int { counts.count }
}
