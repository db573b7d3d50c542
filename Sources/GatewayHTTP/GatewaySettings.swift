package import MarvelDomain

package struct GatewaySettings: Sendable {
    /// `http://HOST:PORT`; nil for the host that each client uses.
    package var ownOrigin: String?
    /// Whether `resourceURI` and `collectionURI` name this gateway instead of the original's host.
    package var rewritesLinks = false
    package var quota: RollingQuota.Limit?
    package var faultInjection = FaultInjection()

    package init() {}
}

package struct GatewayClock: Sendable {
    /// A clock for the year of the copyright notice.
    package let now: @Sendable () -> Timestamp
    /// Never runs backward.
    package let uptime: @Sendable () -> Duration

    package init(now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Duration) {
        self.now = now
        self.uptime = uptime
    }
}
