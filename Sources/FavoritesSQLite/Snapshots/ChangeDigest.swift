internal import MarvelDomain

/// A digest of a change and all changes before it on its list. It reveals a change that is lost, altered or in the
/// wrong position, because the later digests no longer match.
///
/// It is FNV-1a with 64 bits, over the previous digest, the revision and the text. It protects against disk errors, not
/// against people. Anyone who can write the file could compute any hash, so a cryptographic one would only cost more. A
/// damaged record has the right digest by chance once in 2^64.
enum ChangeDigest {
    /// `previous` is 0 for the first change. `revision` is the list's after the change. `text` is the stored text.
    static func next(after previous: Int64, revision: Int64, text: [UInt8]) -> Int64 {
        var hash = FNV1a()
        hash.combine(number: previous)
        hash.combine(number: revision)
        text.withUnsafeBytes { hash.combine($0) }
        return Int64(bitPattern: hash.value)
    }
}
