/// A server as its clients name it: the address of its framed port, and whether they use TLS there.
///
/// As text it is `host:port` or `unix:/path`, and with TLS `tls://host:port`.
public struct ServerEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The address.
    public var address: ServerAddress
    /// Whether connections are protected by TLS, and the server is verified. Unix sockets are never.
    public var isSecure: Bool

    /// Makes the name of a server.
    public init(_ address: ServerAddress, isSecure: Bool = false) {
        self.address = address
        self.isSecure = isSecure && address.isTCP
    }

    /// Reads the name of a server. Nil if the text is not one.
    public init?(_ text: String) {
        let isSecure = text.hasPrefix(Self.secureScheme)
        let address = ServerAddress(isSecure ? String(text.dropFirst(Self.secureScheme.count)) : text)
        guard let address, address.isTCP || !isSecure else { return nil }
        self.init(address, isSecure: isSecure)
    }

    /// Returns why a text is not the name of a server, for the person who wrote it; nil if it is one.
    public static func problem(with text: String) -> String? {
        guard ServerEndpoint(text) == nil else { return nil }
        if ["http://", "https://", "grpc://", "grpcs://"].contains(where: text.hasPrefix) {
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

    /// The prefix of a server with TLS.
    private static let secureScheme = "tls://"

    /// The text that `init(_:)` reads.
    public var description: String { (isSecure ? Self.secureScheme : "") + "\(address)" }
}
