import Testing

@testable import Browse

struct HelpLinesTests {
    @Test(arguments: [36, 40, 60, 76])
    func everyWordOfTheHelpIsShown(_ width: Int) {
        let lines = HelpSection.lines(width: width)
        for line in lines { #expect(line.width <= width) }
        let words = lines.map { String($0.letters.map(\.grapheme)) }.joined(separator: " ").split(separator: " ")
        for entry in HelpSection.all.flatMap(\.entries) {
            for word in entry.meaning.split(separator: " ") { #expect(words.contains(word)) }
        }
    }
}
