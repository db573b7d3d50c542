internal import Digests

/// The entity tag of a reply, with which a client avoids downloading unchanged content again.
enum ReplyTag {
    static func digest(_ bytes: [UInt8]) -> String {
        Digest.sha1.hexadecimal(of: bytes)
    }

    /// Whether an `If-None-Match` header names the tag: bare as in the original, quoted, weak, in a list, or as `*`.
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
