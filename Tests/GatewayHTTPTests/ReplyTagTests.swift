import Testing

@testable import GatewayHTTP

@Suite struct ReplyTagTests {
    private static let tag = "0123456789abcdef0123456789abcdef01234567"

    @Test(arguments: [
        tag, "\"\(tag)\"", "W/\"\(tag)\"", "\"x\", \"\(tag)\"", "x,\(tag)", "*", " \(tag) ", "W/\"x\" , W/\"\(tag)\"",
    ])
    func everyAcceptedFormMatches(header: String) {
        #expect(ReplyTag.matches(header, ReplyTagTests.tag))
    }

    @Test(arguments: ["", "x", "\"\(tag)", "\(tag)0", "\"*\"", ",", "W/", "\""])
    func anythingElseDoesNot(header: String) {
        #expect(!ReplyTag.matches(header, ReplyTagTests.tag))
    }
}
