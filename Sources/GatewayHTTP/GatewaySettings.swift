package import MarvelDomain

/// What an operator decides about a gateway.
package struct GatewaySettings: Sendable {
    /// Where clients reach this gateway, `http://HOST:PORT`; nil: at the host that each of them asked for.
    package var ownOrigin: String?
    /// Whether `resourceURI` and `collectionURI` name this gateway in place of the original's host.
    package var rewritesLinks = false
    /// Whether the ETag header stands in quotation marks, as HTTP asks for and the original did not have it.
    package var quotesEntityTags = false
    /// Whether `/characters/1009610xyz` is read as 1009610, as the original did.
    package var readsIDsLeniently = false
    /// Calls a key may make; nil: any number.
    package var quota: RollingQuota.Limit?
    /// Whether a 429 has a `Retry-After`, which the original's never had.
    package var sendsRetryAfter = false
    package var misbehavior = Misbehavior()

    package init() {}
}

/// The clocks that a gateway goes by.
package struct GatewayClock: Sendable {
    /// The wall clock: the copyright's year.
    package let now: @Sendable () -> Timestamp
    /// Time since any fixed moment; never runs backward. Quotas are counted in it.
    package let uptime: @Sendable () -> Duration

    package init(now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Duration) {
        self.now = now
        self.uptime = uptime
    }
}
