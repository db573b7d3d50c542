import Browse
import MarvelDomain
import Testing

@Suite
struct HighlightTests {
    /// Brackets stand around what is highlighted.
    @Test(arguments: [
        (Match.prefix, "spi", "[Spi]der-Man"),
        (.prefix, "SPIDER-M", "[Spider-M]an"),
        (.prefix, "man", "Spider-Man"),
        (.prefix, "electro", "[Électro]"),
        (.prefix, "스파", "[스파]이더맨"),
        (.prefix, "스파", "[스팔]트"),
        (.prefix, "e\u{301}l", "[Él]ectro"),
        (.prefix, "spider-man (", "  [Spider-Man (]1602)"),
        (.wordPrefix, "man", "Spider-[Man] ([Man]uel)"),
        (.wordPrefix, "spiderm", "[Spider-M]an"),
        (.wordPrefix, "der", "Spider-Man"),
        (.substring, "der", "Spi[der]-Man"),
        (.substring, "odo", "M.[O.D.O].K."),
        (.substring, "파이", "스[파이]더맨"),
        (.fuzzy, "spder", "[Sp]i[der]-Man"),
        (.fuzzy, "spider", "[Spider]-Man"),
        (.fuzzy, "wolferine", "[Wol]v[erine]"),
    ])
    func matchesAreHighlighted(match: Match, query: String, expected: String) throws {
        let name = expected.filter { $0 != "[" && $0 != "]" }
        let query = try SearchQuery(query)
        #expect(bracketed(name, Highlight(query, match: match).ranges(in: name)) == expected)
    }

    @Test func anEmptyNameHasNothingToHighlight() throws {
        for match in Match.allCases {
            #expect(Highlight(try SearchQuery("ab"), match: match).ranges(in: "").isEmpty)
            #expect(Highlight(try SearchQuery("--"), match: match).ranges(in: "...").isEmpty)
        }
    }

    private func bracketed(_ name: String, _ ranges: [Range<String.Index>]) -> String {
        var text = ""
        for index in name.indices {
            if ranges.contains(where: { $0.lowerBound == index }) { text += "[" }
            text.append(name[index])
            if ranges.contains(where: { $0.upperBound == name.index(after: index) }) { text += "]" }
        }
        return text
    }
}
