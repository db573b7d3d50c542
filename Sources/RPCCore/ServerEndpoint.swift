/// A server as its clients name it: the address of its framed port, and whether to use TLS there.
///
/// As text it is `host:port` or `unix:/path`, and with TLS `tls://host:port`.
public struct ServerEndpoint: Sendable, Hashable, CustomStringConvertible {
    public var address: ServerAddress
    /// Whether connections use TLS, with a verified server. Never for unix sockets.
    public var isSecure: Bool

    public init(_ address: ServerAddress, isSecure: Bool = false) {
        self.address = address
        self.isSecure = isSecure && address.isTCP
    }

    public init?(_ text: String) {
        let isSecure = text.hasPrefix(Self.secureScheme)
        let address = ServerAddress(isSecure ? String(text.dropFirst(Self.secureScheme.count)) : text)
        guard let address, address.isTCP || !isSecure else { return nil }
        self.init(address, isSecure: isSecure)
    }

    /// The reason why a text is not a server's name, for its author; nil if it is valid.
    public static func problem(with text: String) -> String? {
        guard ServerEndpoint(text) == nil else { return nil }
        if ["http://", "https://", "grpc://", "grpcs://"].contains(where: text.hasPrefix) {
            return "'\(text)' is a URL: write the framed port without a scheme, by default \(ServerAddress.default)."
        }
        let scheme = text.firstRange(of: "://").map { text[..<$0.upperBound] } ?? ""
        let rest = text.dropFirst(scheme.count)
        if !rest.isEmpty, !rest.contains(":"), !rest.contains("/") || scheme.isEmpty {
            return "'\(text)' has no port: write \(scheme)\(rest):6160 for the default port."
        }
        if rest.count(where: { $0 == ":" }) > 1, !rest.contains("["), !text.hasPrefix("unix:") {
            return "'\(text)' is ambiguous: write an IPv6 address in brackets, like [::1]:6160."
        }
        return "'\(text)' is not host:port, unix:/path or tls://host:port."
    }

    private static let secureScheme = "tls://"

    public var description: String { (isSecure ? Self.secureScheme : "") + "\(address)" }
}
