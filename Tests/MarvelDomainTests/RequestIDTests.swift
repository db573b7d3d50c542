import MarvelDomain
import Testing

@Suite struct RequestIDTests {
    @Test(arguments: ["1", " ", "~", "6F9619FF-8B86-D011-B42D-00C04FC964FF", String(repeating: "x", count: 36)])
    func printableASCIIIsTaken(_ text: String) {
        #expect(RequestID(text)?.text == text)
    }

    @Test(arguments: ["", "é", "a\tb", "\u{7F}", "a\u{0}", String(repeating: "x", count: 37)])
    func everythingElseIsRefused(_ text: String) {
        #expect(RequestID(text) == nil)
    }
}
