import MarvelDomain
import Testing

@Suite struct SearchQueryTests {
    @Test(arguments: [
        ("sp", "sp"),
        ("Spider-Man", "Spider-Man"),
        ("  spider   man ", "spider man"),
        ("spider\tman\r\n", "spider man"),
        ("spider\u{A0}\u{3000}man", "spider man"),
        ("a b", "a b"),
        ("에이", "에이"),
        ("👩‍👩‍👧‍👦é", "👩‍👩‍👧‍👦é"),
    ])
    func whiteSpaceIsNormalized(_ text: String, _ expected: String) throws {
        #expect(try SearchQuery(text).text == expected)
    }

    @Test(arguments: [
        ("", 0), (" ", 0), ("\n\t ", 0), ("a", 1), ("  a  ", 1), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧‍👦", 1), ("에", 1),
    ])
    func lessThanTwoLettersAreTooShort(_ text: String, _ letters: Int) {
        #expect(throws: SearchQuery.Refusal.tooShort(letters: letters)) { try SearchQuery(text) }
    }

    @Test(arguments: ["a", "é", "👩‍👩‍👧‍👦"])
    func aHundredLettersAreTheMost(_ letter: String) throws {
        let longest = String(repeating: letter, count: 100)
        #expect(try SearchQuery(longest).text == longest)
        #expect(throws: SearchQuery.Refusal.tooLong(letters: 101)) { try SearchQuery(longest + letter) }
    }

    /// Most queries need no table of Unicode, and take a shorter way. It must lead to the same place.
    @Test func theWayOfPlainTextLeadsToTheSamePlace() {
        let letters: [String] = ["a", "Z", " ", "-", "~", "!", "\t"]
        for first in letters {
            for second in letters {
                for third in letters {
                    for fourth in letters {
                        let text = first + second + third + fourth
                        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                        let expected = words.count < 2 ? nil : words
                        #expect((try? SearchQuery(text))?.text == expected, "\(text.debugDescription)")
                    }
                }
            }
        }
    }
}
