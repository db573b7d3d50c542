/// A server as its clients name it: its address, and the wire that they speak there.
///
/// As text, `host:port` and `unix:/path` are the framed wire, `grpc://host:port` and `grpc+unix:/path` are gRPC.
public struct ServerEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// A way in which the bytes of a connection carry calls.
    public enum Wire: Sendable, Hashable, CaseIterable {
        /// ttrpc's frames, and our extensions of them.
        case framed
        /// gRPC over HTTP/2, without TLS.
        case grpc
    }

    /// The address.
    public var address: ServerAddress
    /// The wire.
    public var wire: Wire

    /// Makes the name of a server.
    public init(_ address: ServerAddress, wire: Wire = .framed) {
        self.address = address
        self.wire = wire
    }

    /// Reads the name of a server. Nil if the text is not one.
    public init?(_ text: String) {
        if text.hasPrefix(Self.grpcScheme) {
            let address = ServerAddress(String(text.dropFirst(Self.grpcScheme.count)))
            guard let address, case .tcp = address else { return nil }
            self.init(address, wire: .grpc)
        } else if text.hasPrefix(Self.grpcPrefix) {
            let address = ServerAddress(String(text.dropFirst(Self.grpcPrefix.count)))
            guard let address, case .unix = address else { return nil }
            self.init(address, wire: .grpc)
        } else {
            guard let address = ServerAddress(text) else { return nil }
            self.init(address)
        }
    }

    private static let grpcScheme = "grpc://"
    /// The prefix of the text of a unix socket's address.
    private static let grpcPrefix = "grpc+"

    /// The text that `init(_:)` reads.
    public var description: String {
        switch (wire, address) {
        case (.framed, _): "\(address)"
        case (.grpc, .tcp): Self.grpcScheme + "\(address)"
        case (.grpc, .unix): Self.grpcPrefix + "\(address)"
        }
    }
}
