import MarvelDomain
import Testing

@Suite struct ListNameTests {
    @Test(arguments: ["a", "Z", "0", ".", "_", "-", "my-list_2.0", String(repeating: "x", count: 64)])
    func namesOfAllowedLettersAreTaken(_ text: String) {
        #expect(ListName(text)?.text == text)
    }

    @Test func theEmptyNameIsTheDefaultList() {
        #expect(ListName("") == .default)
        #expect(ListName("")?.text == "default")
    }

    @Test(arguments: [" ", "a b", "a/b", "é", "a\u{0}", "a\n", String(repeating: "x", count: 65)])
    func otherNamesAreRefused(_ text: String) {
        #expect(ListName(text) == nil)
    }
}

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
