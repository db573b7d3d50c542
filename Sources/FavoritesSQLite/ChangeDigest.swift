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
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for number in [previous, revision] {
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        for byte in text.utf8 { add(byte) }
        return Int64(bitPattern: digest)
    }
}
