/// A server as its clients name it: its address, and the wire that they speak there.
///
/// As text, `host:port` and `unix:/path` are the framed wire, `grpc://host:port` and `grpc+unix:/path` are gRPC. With TLS
/// they are `tls://host:port` and `grpcs://host:port`.
public struct ServerEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// A way in which the bytes of a connection carry calls.
    public enum Wire: Sendable, Hashable, CaseIterable {
        /// ttrpc's frames, and our extensions of them.
        case framed
        /// gRPC over HTTP/2.
        case grpc
    }

    /// The address.
    public var address: ServerAddress
    /// The wire.
    public var wire: Wire
    /// Whether connections are protected by TLS, and the server is verified. Unix sockets are never.
    public var isSecure: Bool

    /// Makes the name of a server.
    public init(_ address: ServerAddress, wire: Wire = .framed, isSecure: Bool = false) {
        self.address = address
        self.wire = wire
        self.isSecure = isSecure && address.isTCP
    }

    /// Reads the name of a server. Nil if the text is not one.
    public init?(_ text: String) {
        if let scheme = Self.schemes.first(where: { text.hasPrefix($0.text) }) {
            let address = ServerAddress(String(text.dropFirst(scheme.text.count)))
            guard let address, address.isTCP else { return nil }
            self.init(address, wire: scheme.wire, isSecure: scheme.isSecure)
        } else if text.hasPrefix(Self.grpcPrefix) {
            let address = ServerAddress(String(text.dropFirst(Self.grpcPrefix.count)))
            guard let address, case .unix = address else { return nil }
            self.init(address, wire: .grpc)
        } else {
            guard let address = ServerAddress(text) else { return nil }
            self.init(address)
        }
    }

    /// Returns why a text is not the name of a server, for the person who wrote it; nil if it is one.
    public static func problem(with text: String) -> String? {
        guard ServerEndpoint(text) == nil else { return nil }
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            return "'\(text)' is a URL: name the framed port without a scheme, by default \(ServerAddress.default)."
        }
        let scheme = text.firstRange(of: "://").map { text[..<$0.upperBound] } ?? ""
        let rest = text.dropFirst(scheme.count)
        if !rest.isEmpty, !rest.contains(":"), !rest.contains("/") || scheme.isEmpty {
            return "'\(text)' has no port: write \(scheme)\(rest):6160, if it is the default one."
        }
        if rest.count(where: { $0 == ":" }) > 1, !rest.contains("["), !text.hasPrefix("unix:") {
            return "'\(text)' is not clear: write an IPv6 address in brackets, as in [::1]:6160."
        }
        return "'\(text)' is not host:port, unix:/path, or with TLS tls://host:port."
    }

    /// The prefixes of addresses of TCP.
    private static let schemes: [(text: String, wire: Wire, isSecure: Bool)] = [
        ("grpc://", .grpc, false), ("grpcs://", .grpc, true), ("tls://", .framed, true),
    ]
    /// The prefix of the text of a unix socket's address.
    private static let grpcPrefix = "grpc+"

    /// The text that `init(_:)` reads.
    public var description: String {
        switch (wire, address) {
        case (.framed, .unix): "\(address)"
        case (.framed, .tcp): (isSecure ? "tls://" : "") + "\(address)"
        case (.grpc, .tcp): (isSecure ? "grpcs://" : "grpc://") + "\(address)"
        case (.grpc, .unix): Self.grpcPrefix + "\(address)"
        }
    }
}
