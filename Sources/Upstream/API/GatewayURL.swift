internal import MarvelDomain

/// `http(s)://HOST[:PORT][/PATH]` and nothing else. A trailing `/v1/public` is removed, because people copy the URL of
/// the API's root.
package struct GatewayURL: Sendable, Hashable, CustomStringConvertible {
    package let base: String
    /// In lower case, without port; an IPv6 address with its brackets.
    package let host: String
    package let isSecure: Bool
    private let port: Int?

    /// The path of the API version that this client supports.
    static let apiRoot = "/v1/public"

    /// The error never repeats the text, which may contain a password.
    package init(_ text: String) throws(Refusal) {
        let (scheme, rest) = try GatewayURL.splitScheme(text)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = try GatewayURL.authority(rest[..<slash])
        let path = try GatewayURL.path(rest[slash...])
        self.isSecure = scheme == "https"
        self.host = authority.host
        self.port = authority.port
        self.base = scheme + "://" + authority.host + (authority.port.map { ":\($0)" } ?? "") + path
    }

    package var description: String { base }

    package var authority: String {
        guard let port, port != (isSecure ? 443 : 80) else { return host }
        return "\(host):\(port)"
    }
}

extension GatewayURL {
    package enum Refusal: String, Error, Sendable, CaseIterable, CustomStringConvertible {
        case scheme = "a gateway URL must start with http:// or https://"
        case host = "a gateway URL must have a host: letters, digits, '-', '.', '_', or an IPv6 address in brackets"
        case port = "a gateway URL's port must be 1 to 65535"
        case userInfo = "a gateway URL must not have a user name or password: set the keys in the environment or a file"
        case path = "a gateway URL's path must be percent-encoded"
        case queryOrFragment = "a gateway URL must not have a query or a fragment"

        package var description: String { rawValue }
    }

    private static func splitScheme(_ text: String) throws(Refusal) -> (scheme: String, rest: Substring) {
        for scheme in ["http", "https"] where text.lowercased().hasPrefix(scheme + "://") {
            return (scheme, text.dropFirst(scheme.count + 3))
        }
        throw .scheme
    }

    private static func authority(_ text: Substring) throws(Refusal) -> (host: String, port: Int?) {
        guard !text.contains(where: { $0 == "?" || $0 == "#" }) else { throw .queryOrFragment }
        guard !text.contains("@") else { throw .userInfo }
        let hostEnd =
            text.hasPrefix("[")
            ? text.firstIndex(of: "]").map(text.index(after:)) ?? text.endIndex
            : text.firstIndex(of: ":") ?? text.endIndex
        let host = text[..<hostEnd].lowercased()
        guard isHostName(host) || isBracketedAddress(host) else { throw .host }
        return (host, try port(text[hostEnd...]))
    }

    private static func port(_ text: Substring) throws(Refusal) -> Int? {
        guard !text.isEmpty else { return nil }
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), digits.utf8.allSatisfy(\.isDigit), let port = Int(digits), (1...65535).contains(port)
        else { throw .port }
        return port
    }

    private static func path(_ text: Substring) throws(Refusal) -> String {
        guard !text.contains(where: { $0 == "?" || $0 == "#" }) else { throw .queryOrFragment }
        guard text.utf8.allSatisfy(isPathByte), !text.split(separator: "/").contains("..") else { throw .path }
        var path = text
        while path.hasSuffix("/") { path.removeLast() }
        if path.hasSuffix(apiRoot) { path.removeLast(apiRoot.count) }
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    /// ASCII only: a name in another script needs its `xn--` form.
    private static func isHostName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { isLetter($0) || $0.isDigit || "-._".utf8.contains($0) }
            && text.utf8.contains { isLetter($0) || $0.isDigit }
    }

    private static func isBracketedAddress(_ text: String) -> Bool {
        text.hasPrefix("[") && text.hasSuffix("]") && text.contains(":")
            && text.dropFirst().dropLast().utf8.allSatisfy { $0.isDigit || "abcdef:.".utf8.contains($0) }
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        isLetter(byte | 0x20) || byte.isDigit || "/-._~%!$&'()*+,;=:@".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
