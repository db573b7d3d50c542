internal import HTTPCalls
internal import NIOCore
internal import RPCCore
internal import RPCTransport

extension Channel {
    /// Whether the connection was made to an address of the loopback interface.
    var isLoopback: Bool {
        guard let address = localAddress?.ipAddress else { return false }
        return ServerAddress.isLoopback(host: address) || address.hasPrefix("::ffff:127.")
    }
}

extension ConnectionAge {
    /// Makes the limit of a connection that begins now. Nil if there is none.
    init?(_ configuration: ServerConfiguration, now: NIODeadline) {
        guard let maximum = configuration.maximumConnectionAge else { return nil }
        let jitter = Double.random(in: Self.jitter)
        self.init(maximum: maximum, grace: configuration.drainTimeout, jitter: jitter, now: now)
    }
}
