import CatalogReading
import MarvelDomain
import Testing

@testable import Catalog

@Suite struct SearchFormTests {
    @Test(arguments: [
        ("Spider-Man (Peter Parker)", "spider man peter parker"), ("M.O.D.O.K.", "m o d o k"), ("A.I.M.", "a i m"),
        ("T'Challa", "t challa"), ("X-23", "x 23"), ("  Leading", "leading"), ("Araña", "arana"), ("ARANA", "arana"),
        ("Ægir", "ægir"), ("Straße", "straße"), ("50% Off!", "50 off"), ("a_b", "a b"), ("¿Qué?", "que"),
        ("Iron\u{2019}s", "iron s"), ("Soft\u{AD}hyphen", "softhyphen"), ("—", ""), ("--", ""), ("", ""), ("()", ""),
        // Symbols are compared; joiners, variations and the color of a skin are not.
        ("Spider 🕷️", "spider 🕷"), ("👩🏽‍🚀", "👩🚀"), ("a👍🏿b", "a👍b"), ("1️⃣", "1"), ("♥", "♥"),
        ("スパイダーマン", "スパイダーマン"), ("蜘蛛・侠", "蜘蛛 侠"), ("नमस्ते", "नमसत\u{947}"),
    ])
    func spaceAndPunctuationAreNotLetters(_ name: String, _ words: String) {
        let form = SearchForm(name)
        var expected: [UInt8] = []
        var starts: [Int] = []
        for word in words.split(separator: " ") {
            starts.append(expected.count)
            expected += FoldedName(String(word)).utf8
        }
        #expect(form.letters == expected)
        #expect(form.wordStarts == starts)
    }

    @Test(arguments: ["에이전트", "에이", "각"])
    func hangulIsComparedAsItIsTyped(_ name: String) {
        let letters = SearchForm(name).scalars
        #expect(letters.allSatisfy { (0x1100...0x11FF).contains($0) })
        #expect(letters.count > name.unicodeScalars.count)
    }

    /// The same form, whoever decomposes first.
    @Test(arguments: [("\u{E9}", "e\u{301}"), ("에", "\u{110B}\u{1166}"), ("\u{1E69}", "s\u{307}\u{323}")])
    func equivalentTextsAreOne(_ left: String, _ right: String) {
        #expect(SearchForm(left) == SearchForm(right))
    }
}
