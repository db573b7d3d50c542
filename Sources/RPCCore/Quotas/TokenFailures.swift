/// The rates of invalid tokens by address, to slow down an address that sends too many.
///
/// A token cannot be guessed: the limit only saves the time of others. The memory is limited: above the maximum,
/// addresses are forgotten, first those that sent no invalid token lately.
package struct TokenFailures: Sendable {
    static let burst = 100
    package static let perSecond = 10
    static let maximumAddresses = 4_096

    private let pace = CallPace(eventsPerSecond: TokenFailures.perSecond, burst: TokenFailures.burst)
    private var dues: [PeerAddress?: CallPace.Time] = [:]

    package init() {}

    /// Counts an invalid token. Returns whether the address exceeds its limit. `now` is the time of a monotonic clock.
    package mutating func failed(_ address: PeerAddress?, now: CallPace.Time) -> Bool {
        let due = pace.due(after: 1, due: dues[address] ?? 0, now: now)
        // A refused failure is not counted: the address is free again as soon as it stops.
        guard pace.wait(due: due, now: now) == nil else { return true }
        if dues.count >= Self.maximumAddresses {
            dues = dues.filter { $0.value > now }
            // At least a quarter goes at once, so that not every address costs a pass over all.
            if dues.count > Self.maximumAddresses * 3 / 4 { dues = [:] }
        }
        dues[address] = due
        return false
    }

    package var addressCount: Int { dues.count }
}
