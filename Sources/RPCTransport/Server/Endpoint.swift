package import Logging
internal import NIOCore
package import RPCCore

/// An address that a server listens on, and the wire that it speaks there.
package struct Endpoint: Sendable, Hashable {
    /// A way in which bytes of a connection carry calls. All wires of a server share its methods, limits, budgets, counters
    /// and drain.
    package enum Wire: String, Sendable, Hashable {
        /// ttrpc's frames, and our extensions of them.
        case framed
    }

    package let wire: Wire
    /// Port 0 asks for a free one.
    package let address: ServerAddress

    package init(_ address: ServerAddress, wire: Wire = .framed) {
        self.wire = wire
        self.address = address
    }

    /// The name of the wire and the address, for a log.
    package var metadata: Logger.Metadata { ["endpoint": "\(wire)", "address": "\(address)"] }
}

extension Endpoint.Wire {
    /// Lets a new connection speak this wire.
    func open(_ channel: any Channel, of server: ServerContext, isDraining: Bool) throws {
        switch self {
        case .framed:
            let handler = ServerConnectionHandler(server: server, isDraining: isDraining)
            try channel.pipeline.syncOperations.addHandler(handler)
        }
    }
}

/// An event that the server fires into the pipelines of its connections, whatever their wire.
enum ConnectionEvent: Sendable, Hashable {
    /// The server stops: finish the calls, and close.
    case drainBegins
    /// The time of the drain is over: end the calls that are still open, and close.
    case drainEnds
    /// All connections together hold too many bytes, and this one holds the most: close.
    case budgetExceeded
}
