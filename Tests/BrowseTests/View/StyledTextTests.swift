import TerminalUI
import Testing

@testable import Browse

@Suite
struct StyledTextTests {
    @Test(arguments: [
        ("Thor", 4, "Thor"), ("Thor", 3, "Th…"), ("Thor", 1, "…"), ("Thor", 0, ""), ("", 0, ""), ("a b", 2, "a…"),
        ("누아르", 6, "누아르"), ("누아르", 5, "누아…"), ("누아르", 4, "누…"), ("누아르", 2, "…"), ("👩‍🚀👩‍🚀", 3, "👩‍🚀…"),
    ])
    func longTextIsTruncated(text: String, width: Int, expected: String) {
        let cut = StyledText(text, .bold).truncated(toWidth: width)
        #expect(cut == StyledText(expected, .bold))
        #expect(cut.width <= width)
    }

    @Test(arguments: [
        ("one two three", 7, 9, ["one two", "three"]), ("one two three", 6, 9, ["one", "two", "three"]),
        ("one two three", 7, 1, ["one tw…"]), ("one two three", 3, 2, ["one", "tw…"]), ("", 5, 2, []),
        ("abcdefg", 3, 9, ["abc", "def", "g"]), ("Spider-Man", 8, 2, ["Spider-", "Man"]), ("누아르", 4, 2, ["누아", "르"]),
        ("누", 1, 3, ["…"]), ("a", 0, 3, [""]), ("abc   def", 3, 9, ["abc", "def"]), ("ab cd", 4, 0, []),
    ])
    func linesAreBrokenWhereWordsAre(text: String, width: Int, count: Int, expected: [String]) {
        let lines = StyledText(text).lines(width: width, count: count)
        #expect(lines.map { $0.runs.map(\.text).joined() } == expected)
    }

    @Test func aSignStaysWithItsName() {
        let name = StyledText("★ Spider-Man")
        #expect(name.lines(width: 8, count: 2) == [StyledText("★"), StyledText("Spider-…")])
        #expect(name.lines(width: 8, count: 2, unbroken: 2) == [StyledText("★ Spider"), StyledText("-Man")])
    }
}
