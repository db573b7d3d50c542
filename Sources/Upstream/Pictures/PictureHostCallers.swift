internal import MarvelDomain
internal import Synchronization

/// The callers of picture hosts. Each host has its own caller, so that a failing host does not stop calls to others.
///
/// There are few callers, because the operator names the hosts from which pictures are fetched.
package final class PictureHostCallers: Sendable {
    private let limits: UpstreamLimits
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let onFailure: @Sendable (_ host: String, UpstreamFailure) -> Void
    private let callers = Mutex<[String: UpstreamCaller]>([:])

    /// - Parameters:
    ///   - limits: The limits for each host.
    ///   - clock: The clock and the source of random numbers.
    ///   - counts: The counters of all callers together.
    ///   - onFailure: Called for failures, of each kind once a minute.
    package init(
        limits: UpstreamLimits = UpstreamLimits(),
        clock: UpstreamClock,
        counts: UpstreamCounts = UpstreamCounts(),
        onFailure: @escaping @Sendable (_ host: String, UpstreamFailure) -> Void = { _, _ in }
    ) {
        var limits = limits
        limits.peer = .pictureHost
        self.limits = limits
        self.clock = clock
        self.counts = counts
        self.onFailure = onFailure
    }

    /// Returns the caller of the host of an address.
    package func caller(for address: PictureAddress) -> UpstreamCaller {
        callers.withLock { callers in
            if let caller = callers[address.host] { return caller }
            let caller = UpstreamCaller(limits: limits, clock: clock, counts: counts) {
                [onFailure] failure in onFailure(address.host, failure)
            }
            callers[address.host] = caller
            return caller
        }
    }
}
