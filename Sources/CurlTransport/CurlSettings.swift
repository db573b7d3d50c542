/// What holds for every request of one transport. Verification of certificates is not among it: it cannot be turned off.
package struct CurlSettings: Sendable, Hashable {
    /// Connections at the same time, idle ones included. Requests beyond it wait. 1 or more.
    package var maximumConnections: Int
    /// Requests at the same time, waiting ones included; one more is refused with `.overloaded`.
    package var maximumRequests: Int
    /// An idle connection older than this is not used again: the peer is about to close it, or has.
    package var idleConnectionTime: Duration
    /// Where to send requests instead of to the host itself: `http://HOST:PORT`. Nil: nowhere, whatever the
    /// environment says.
    package var proxy: String?
    /// A PEM file of authorities to trust in place of the system's: for a gateway with a certificate of one's own.
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
