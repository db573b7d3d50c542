package import NIOCore

/// An address that a server listens on: `host:port`, `[::1]:port`, or `unix:/path`.
public enum ServerAddress: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: Int)
    case unix(path: String)

    public static let `default` = ServerAddress.tcp(host: "127.0.0.1", port: 6160)

    /// The default address of gRPC on this machine.
    public static let defaultHTTP = ServerAddress.tcp(host: "127.0.0.1", port: 6161)

    /// Nil if the text is not an address. A port, 0 to 65535, is required.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard !path.isEmpty else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        // A number in Swift may begin with a sign; a port may not.
        guard digits.first?.isNumber == true, let port = UInt16(digits) else { return nil }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0 == "[" || $0 == "]" }) else { return nil }
        self = .tcp(host: String(host), port: Int(port))
    }

    package init?(_ address: SocketAddress?) {
        guard let host = address?.ipAddress, let port = address?.port else { return nil }
        self = .tcp(host: host, port: port)
    }

    package var isTCP: Bool {
        if case .tcp = self { return true }
        return false
    }

    /// Whether only this machine can reach the address.
    package var isLocal: Bool {
        switch self {
        case .tcp(let host, _): Self.isLoopback(host: host)
        case .unix: true
        }
    }

    package static func isLoopback(host: String) -> Bool {
        host == "localhost" || PeerAddress(host: host) == .loopback
    }

    /// Whether an HTTP request's host is a name or an address of the loopback interface. Browsers always send a host,
    /// so a request without one is not from a browser.
    package static func isLoopback(authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        // A user name would hide the host.
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { return false }
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return false }
            let port = authority[authority.index(after: end)...]
            guard port.isEmpty || port.first == ":" else { return false }
            return isLoopback(host: String(authority[authority.index(after: authority.startIndex)..<end]))
        }
        let host = authority.prefix { $0 != ":" }.lowercased()
        return isLoopback(host: host) || host.hasSuffix(".localhost")
    }

    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
