package import MarvelDomain

package struct GatewaySettings: Sendable {
    /// The origin of this gateway in links, `http://HOST:PORT`; nil for the host that each client uses.
    package var ownOrigin: String?
    /// Whether `resourceURI` and `collectionURI` name this gateway instead of the original's host.
    package var rewritesLinks = false
    /// Whether the ETag header is in quotation marks, as HTTP requires. The original's was not.
    package var quotesEntityTags = false
    /// Whether `/characters/1009610xyz` is read as 1009610, as the original did.
    package var readsIDsLeniently = false
    package var quota: RollingQuota.Limit?
    /// Whether a 429 has a `Retry-After`. The original's never had one.
    package var sendsRetryAfter = false
    package var faultInjection = FaultInjection()

    package init() {}
}

package struct GatewayClock: Sendable {
    /// The wall clock, used for the year of the copyright notice.
    package let now: @Sendable () -> Timestamp
    /// The time since a fixed moment, used for quotas. It never runs backward.
    package let uptime: @Sendable () -> Duration

    package init(now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Duration) {
        self.now = now
        self.uptime = uptime
    }
}
