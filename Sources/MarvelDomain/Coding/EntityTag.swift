/// The comparison of entity tags, with which HTTP clients avoid downloading unchanged content again (RFC 9110, section
/// 8.8.3).
package enum EntityTag {
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
