internal import MarvelDomain

/// A digest of a change and all changes before it on its list. It shows a change that is lost, altered or in the wrong
/// position, because the digests after it no longer match.
///
/// It is FNV-1a with 64 bits, over the previous digest, the revision and the text. It protects against disk errors, not
/// against people: anyone who can write the file could compute any hash, so a cryptographic one would only cost more.
/// A damaged record has the right digest by chance once in 2^64.
enum ChangeDigest {
    /// Returns the digest of a change, from that of the change before (0 if there is none), the list's revision after
    /// the change, and the bytes of its stored text.
    static func next(after previous: Int64, revision: Int64, text: [UInt8]) -> Int64 {
        var hash = FNV1a()
        hash.combine(number: previous)
        hash.combine(number: revision)
        text.withUnsafeBytes { hash.combine($0) }
        return Int64(bitPattern: hash.value)
    }
}
