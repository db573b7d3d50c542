/// The counts of invalid tokens by address, to slow down an address that sends too many.
///
/// A token cannot be guessed: the limit only saves the time of others. The memory is limited: above the maximum, the
/// oldest addresses are evicted.
package struct TokenFailures: Sendable {
    static let burst = 100
    package static let perSecond = 10
    static let maximumAddresses = 4_096

    private struct Count {
        var value: Double
        var time: Double
    }

    private var counts: [PeerAddress?: Count] = [:]
    private var order: [PeerAddress?] = []

    package init() {}

    /// Counts an invalid token. Returns whether the address exceeds its limit. `now` is in seconds on a monotonic
    /// clock.
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
            // Evict a quarter at once, so that the order does not move with each address.
            for old in order.prefix(Self.maximumAddresses / 4) { counts[old] = nil }
            order.removeFirst(min(order.count, Self.maximumAddresses / 4))
        }
        order.append(address)
        return Count(value: 0, time: now)
    }

    package var addressCount: Int { counts.count }
}
