import MarvelDomain
import Testing

/// RFC 1321, appendix A.5, and FIPS 180-4's examples.
@Test(arguments: [
    (Digest.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (Digest.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
    (Digest.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (Digest.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (Digest.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
])
func aDigestIsThatOfTheStandard(_ digest: Digest, _ text: String, _ expected: String) {
    #expect(digest.hexadecimal(of: Array(text.utf8)) == expected)
}

@Test func aDigestOfTwoTextsIsThatOfBothTogether() {
    for length in 0...3 {
        let (head, rest) = (Array("abc".utf8.prefix(length)), Array("abc".utf8.dropFirst(length)))
        let prefix = head.withUnsafeBytes { head in rest.withUnsafeBytes { Digest.sha256Prefix(of: head, $0) } }
        #expect(prefix == 0xBA78_16BF_8F01_CFEA)
    }
}

@Test func bytesAreEqualOnlyWithTheSameLengthAndContents() {
    #expect(isEqualInConstantTime([], []))
    #expect(isEqualInConstantTime([1, 2], [1, 2]))
    #expect(!isEqualInConstantTime([1, 2], [1, 3]))
    #expect(!isEqualInConstantTime([1, 2], [1, 2, 3]))
}

@Test func hexadecimalDigitsAreReadAsTheyAreWritten() {
    #expect(Hexadecimal.text([0, 0x9A, 0xFF]) == "009aff")
    #expect(Hexadecimal.bytes("009aFf") == [0, 0x9A, 0xFF])
    #expect(Hexadecimal.text(UInt64(0x1F)) == "000000000000001f")
    for text in ["0", "0g", "é0", " 0"] { #expect(Hexadecimal.bytes(text) == nil) }
}
