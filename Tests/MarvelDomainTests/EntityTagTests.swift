import MarvelDomain
import Testing

@Suite struct EntityTagTests {
    private static let tag = "0123456789abcdef0123456789abcdef01234567"

    @Test(arguments: [
        tag, "\"\(tag)\"", "W/\"\(tag)\"", "\"x\", \"\(tag)\"", "x,\(tag)", "*", " \(tag) ", "W/\"x\" , W/\"\(tag)\"",
        "\"x\"\t,\t\"\(tag)\"\t",
    ])
    func everyAcceptedFormMatches(header: String) {
        #expect(EntityTag.isNamed(Self.tag, by: header))
    }

    @Test(arguments: ["", "x", "\"\(tag)", "\(tag)0", "\"*\"", ",", "W/", "\""])
    func anythingElseDoesNot(header: String) {
        #expect(!EntityTag.isNamed(Self.tag, by: header))
    }
}

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Wed, 08 May 2024 17:57:08 GMT", 1_715_191_028),
    ])
    func aDateIsWrittenAndRead(text: String, seconds: Int64) {
        #expect(HTTPDate.text(seconds) == text)
        #expect(HTTPDate.seconds(text) == seconds)
    }
}
