/// Rules for entity tags, which save HTTP clients the download of unchanged content (RFC 9110, section 8.8.3).
package enum EntityTag {
    /// Whether a request can carry a received tag: 1 to 256 characters of printable ASCII without spaces.
    package static func isSendable(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether an `If-None-Match` header names a tag: quoted, weak, in a list, as `*`, or bare as Marvel's API sent it.
    /// `tag` has no quotes and no commas.
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
