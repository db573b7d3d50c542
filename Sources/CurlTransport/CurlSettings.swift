/// Settings of all requests of one transport. Certificate verification has no setting: it cannot be turned off.
package struct CurlSettings: Sendable, Hashable {
    /// The maximum number of connections, idle ones included, 1 or more. Further requests wait.
    package var maximumConnections: Int
    /// The maximum number of requests, waiting ones included. Further requests are refused with `.overloaded`.
    package var maximumRequests: Int
    /// The age after which an idle connection is not used again, because the peer may have closed it.
    package var idleConnectionTime: Duration
    /// The proxy for all requests: `http://HOST:PORT`. Nil for none, whatever the environment says.
    package var proxy: String?
    /// A PEM file of authorities to trust in place of the system's, for a gateway with a private certificate.
    package var certificateAuthorities: String?
    package var userAgent: String

    package init(
        maximumConnections: Int = 64,
        maximumRequests: Int = 1_000,
        idleConnectionTime: Duration = .seconds(30),
        proxy: String? = nil,
        certificateAuthorities: String? = nil,
        userAgent: String = "marvel-rpc"
    ) {
        self.maximumConnections = maximumConnections
        self.maximumRequests = maximumRequests
        self.idleConnectionTime = idleConnectionTime
        self.proxy = proxy
        self.certificateAuthorities = certificateAuthorities
        self.userAgent = userAgent
    }
}
