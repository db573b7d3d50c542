/// The user's name and password before the host of a URL: `scheme://user:password@host`.
package enum URLUserInfo {
    /// Returns whether a text is a URL with a password.
    package static func holdsPassword(_ text: String) -> Bool {
        guard let found = text.firstMatch(of: /:\/\/(.*)@/) else { return false }
        return found.1.contains(":") && isUserInfo(found.1)
    }

    /// Returns a text with `***` for the user information of its URLs. A user's name alone is kept only for PostgreSQL;
    /// elsewhere it may be a key.
    package static func masked(_ text: String) -> String {
        text.replacing(/([a-z]*):\/\/(\S*)@/) { url in
            let isUserName = url.1.hasPrefix("postgres") && !url.2.contains { ":/?".contains($0) }
            return isUserName || !isUserInfo(url.2) ? String(url.0) : "\(url.1)://***@"
        }
        .replacing(/([?&](?:ssl)?password=)[^&\s"]*/) { "\($0.1)***" }
    }

    /// Returns whether the text between `//` and an `@` is user information, and not a host, perhaps with a port, and a path. A
    /// password may have a slash that should have been `%2F`.
    private static func isUserInfo(_ text: Substring) -> Bool {
        let host = text.prefix { !"/?#".contains($0) }
        guard host.count < text.count, !host.contains("@") else { return true }
        guard !host.hasPrefix("["), let colon = host.firstIndex(of: ":") else { return false }
        return !host[colon...].dropFirst().utf8.allSatisfy(\.isDigit)
    }
}
