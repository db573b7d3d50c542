internal import Glibc
package import Logging
package import NIOCore
package import RPCCore

/// A way in which bytes of a server's connection carry calls. All wires of a server share its methods, limits, budgets,
/// counters and drain.
package struct ServerWire: Sendable {
    /// The name in logs, which no other wire has.
    package let name: String
    package let open: Opening

    /// A function that lets a new connection speak the wire. It runs on the connection's event loop.
    package typealias Opening =
        @Sendable (_ channel: any Channel, _ server: ServerContext, _ isDraining: Bool) throws -> Void

    package init(_ name: String, open: @escaping Opening) {
        self.name = name
        self.open = open
    }
}

extension ServerWire: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ServerWire {
    /// ttrpc's frames, and our extensions of them.
    package static let framed = ServerWire("framed") { channel, server, isDraining in
        let handler = ConnectionHandler<ServerConnection>(server: server, settings: (), isDraining: isDraining)
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}

/// An address that a server listens on, and the wire that it speaks there.
package struct ListeningEndpoint: Sendable, Hashable {
    package let wire: ServerWire
    /// Port 0 asks for a free one.
    package let address: ServerAddress
    /// The descriptor of a socket that listens at the address already; nil if a socket is to be opened. It stays open, and
    /// connections wait in its queue when the server does not accept them.
    package let socket: CInt?
    /// The protection of its connections; nil if their bytes are sent in clear text.
    package let security: ChannelSecurity?

    package init(
        _ address: ServerAddress,
        wire: ServerWire = .framed,
        socket: CInt? = nil,
        security: ChannelSecurity? = nil
    ) {
        self.wire = wire
        self.address = address
        self.socket = socket
        self.security = security
    }

    /// Makes a descriptor of the same socket for a channel, which closes it. The socket itself stays open.
    package static func duplicate(_ socket: CInt) throws -> CInt {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "fcntl") }
        return descriptor
    }

    /// The name of the wire, the address and the protection, for a log.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["endpoint": "\(wire.name)", "address": "\(address)"]
        if let security { metadata["security"] = "\(security.name)" }
        return metadata
    }
}
