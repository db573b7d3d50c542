package import NIOCore
package import RPCCore

/// A function that returns the caller of a connection from an address; nil if it has no quota.
package typealias CallerOfAddress = @Sendable (SocketAddress?) -> CallerAccounts.Caller?

extension CallerAccounts.Caller {
    /// Makes the caller of a connection from an address. Nil for this machine's own: loopback and unix sockets.
    package init?(_ address: SocketAddress?) {
        guard let address = PeerAddress(address), address != .loopback else { return nil }
        self = .address(address)
    }
}
