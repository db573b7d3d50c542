package import NIOCore

/// An address that a server listens on: `host:port`, `[::1]:port`, or `unix:/path`.
public enum ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// A TCP address: a host name or an IP address, and a port.
    case tcp(host: String, port: Int)
    /// A unix socket at a path.
    case unix(path: String)

    /// The default address of the framed RPC on this machine.
    public static let `default` = ServerAddress.tcp(host: "127.0.0.1", port: 6160)

    /// The default address of gRPC on this machine.
    public static let defaultHTTP = ServerAddress.tcp(host: "127.0.0.1", port: 6161)

    /// Reads an address. Nil if the text is not one. A port is 0 to 65535 and must be given.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard !path.isEmpty else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        // In Swift a number may begin with a sign; a port may not.
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

    /// Makes the address of one end of a connection over TCP. Nil for unix sockets, and if the address is unknown.
    package init?(_ address: SocketAddress?) {
        guard let host = address?.ipAddress, let port = address?.port else { return nil }
        self = .tcp(host: host, port: port)
    }

    /// Whether it is an address of TCP.
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

    /// Returns whether a host is a name or an address of the loopback interface.
    package static func isLoopback(host: String) -> Bool {
        host == "localhost" || PeerAddress(host: host) == .loopback
    }

    /// Returns whether the host that an HTTP request names is a name or an address of the loopback interface. Browsers always
    /// name one, so a request without a host is no browser's.
    package static func isLoopback(authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        // A user's name would hide the host.
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

    /// The address as `init(_:)` reads it.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
