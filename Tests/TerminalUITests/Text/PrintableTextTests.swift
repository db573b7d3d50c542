import Testing

@testable import TerminalUI

struct PrintableTextTests {
    @Test(arguments: [
        ("Hulk", "Hulk"), ("  Hulk \n", "Hulk"), ("a\tb\r\nc", "a b  c"), ("\u{1B}[31mred", "\u{FFFD}[31mred"),
        ("a\u{7}\u{0}b\u{7F}", "a\u{FFFD}\u{FFFD}b\u{FFFD}"), ("\u{9B}2J", "\u{FFFD}2J"), ("a\u{2028}b", "a b"),
        ("abc\u{202E}def\u{2066}", "abcdef"), ("👩‍🚀 é", "👩‍🚀 é"), ("\n\n", ""),
    ])
    func hasNoControlCharacters(_ text: String, _ printable: String) {
        #expect(text.printable == printable)
    }

    @Test(arguments: [
        ("a bb ccc", 4, ["a bb", "ccc"]), ("a bb ccc", nil, ["a bb ccc"]), ("abcdef gh", 3, ["abcdef", "gh"]),
        ("스파이 더맨", 6, ["스파이", "더맨"]), ("", 5, [""]),
    ])
    func wrapsAtSpaces(_ text: String, _ width: Int?, _ lines: [String]) {
        #expect(text.wrapped(toWidth: width) == lines)
    }
}
