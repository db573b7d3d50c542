package import NIOCore
package import RPCCore

/// The other side of a connection, as far as access and answers depend on it.
package struct ConnectionPeer: Sendable {
    let peer: AccessRules.Peer
    /// Nil for unix sockets, and if the address is unknown.
    package let address: PeerAddress?
    /// The name of the principal in the peer's verified certificate; nil if there is none.
    let certificateName: String?
    /// Whether the connection is encrypted.
    let isProtected: Bool
    /// The address at which the connection arrived.
    package let localAddress: SocketAddress?

    /// Finds out who is on the other side of a channel. Runs on its event loop.
    package init(_ channel: any Channel) {
        let security = channel.securedChannel
        peer = AccessRules.Peer(channel)
        address = PeerAddress(channel.remoteAddress)
        certificateName = security?.handshake?.principalName
        isProtected = security != nil
        localAddress = channel.localAddress
    }

    /// Whether the connection arrived at an address that only this machine can reach.
    package var isLocal: Bool { PeerAddress(localAddress).map { $0 == .loopback } ?? true }
}
