/// Rules for entity tags, with which HTTP clients avoid downloading unchanged content again (RFC 9110, section 8.8.3).
package enum EntityTag {
    /// Returns whether a request can carry a tag as it was received: 1 to 256 characters of printable ASCII without spaces.
    package static func isSendable(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Returns whether an `If-None-Match` header names a tag: quoted, weak, in a list, as `*`, or bare as Marvel's API wrote it.
    ///
    /// - Parameters:
    ///   - tag: The tag without quotes, and without commas.
    ///   - ifNoneMatch: The header's value. Several headers are joined by commas.
    /// - Returns: Whether the client has the content of that tag.
    package static func isNamed(_ tag: String, by ifNoneMatch: String) -> Bool {
        ifNoneMatch.split(separator: ",").contains { entry in
            var name = entry.drop(while: \.isWhitespace)
            while name.last?.isWhitespace == true { name.removeLast() }
            if name == "*" { return true }
            if name.hasPrefix("W/") { name = name.dropFirst(2) }
            if name.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") { name = name.dropFirst().dropLast() }
            return name == tag
        }
    }
}
