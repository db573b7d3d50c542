internal import Digests

/// The name of an answer's content, which saves a client from fetching again what it has (MARVEL_API section 7).
enum EntityTag {
    static func digest(_ bytes: [UInt8]) -> String {
        Digest.sha1.hexadecimal(of: bytes)
    }

    /// Whether an `If-None-Match` names the tag: bare as the original had it, quoted, weak, one of a list, or `*`.
    static func matches(_ ifNoneMatch: String, _ etag: String) -> Bool {
        ifNoneMatch.split(separator: ",").contains { entry in
            var tag = entry.trimming(while: \.isWhitespace)
            if tag == "*" { return true }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            if tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") { tag = tag.dropFirst().dropLast() }
            return tag == etag
        }
    }
}
