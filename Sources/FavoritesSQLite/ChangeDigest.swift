internal import MarvelDomain

/// A number that stands for a change and all changes before it on its list, so that one that is lost, altered or out of
/// place is seen: the digests after it no longer follow from each other.
///
/// FNV-1a with 64 bits, over the previous digest, the revision and the text. It guards against disks, not against
/// people: whoever can write the file could compute any hash anew, so a cryptographic one would only cost more. A disk
/// meets the right digest by chance once in 2^64.
enum ChangeDigest {
    /// The digest of a change, from that of the change before (0 if there is none), the list's revision after the change,
    /// and its text as it is stored.
    static func next(after previous: Int64, revision: Int64, text: String) -> Int64 {
        var hash = FNV1a()
        hash.combine(number: previous)
        hash.combine(number: revision)
        hash.combine(text.utf8)
        return Int64(bitPattern: hash.value)
    }
}
