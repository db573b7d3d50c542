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
        guard let server = try? ServerEndpoint(parsing: text) else { return nil }
        self = server
    }

    /// Reads a server's name.
    ///
    /// - Throws: The reason why the text is not one, for its author.
    package init(parsing text: String) throws(Problem) {
        let isSecure = text.hasPrefix(Self.secureScheme)
        let address = ServerAddress(isSecure ? String(text.dropFirst(Self.secureScheme.count)) : text)
        guard let address, address.isTCP || !isSecure else { throw Problem(description: Self.problem(with: text)) }
        self.init(address, isSecure: isSecure)
    }

    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    private static func problem(with text: String) -> String {
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
