package import MarvelAPI
internal import Synchronization

/// The callers of picture hosts: a host that fails is left alone, and no other one with it.
///
/// There are as many as hosts that pictures are fetched from, which are few: the operator names them.
package final class PictureHostCallers: Sendable {
    private let limits: UpstreamGate.Limits
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let onFailure: @Sendable (_ host: String, UpstreamFailure) -> Void
    private let callers = Mutex<[String: UpstreamCaller]>([:])

    /// - Parameters:
    ///   - limits: What holds for each host.
    ///   - clock: Time and chance.
    ///   - counts: What is reported of all of them.
    ///   - onFailure: Is told of failures, not of each.
    package init(
        limits: UpstreamGate.Limits = UpstreamGate.Limits(),
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

    /// The caller of the host that has the picture at that address.
    package func caller(for address: PictureAddress) -> UpstreamCaller {
        callers.withLock { callers in
            if let caller = callers[address.host] { return caller }
            let caller = UpstreamCaller(gate: UpstreamGate(limits: limits), clock: clock, counts: counts) {
                [onFailure] failure in onFailure(address.host, failure)
            }
            callers[address.host] = caller
            return caller
        }
    }
}
