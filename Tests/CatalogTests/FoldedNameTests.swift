import CatalogReading
import Foundation
import MarvelDomain
import Testing

@testable import Catalog

@Suite struct FoldedNameTests {
    @Test(arguments: [
        ("Spider-Man", "spider-man"), ("ARAÑA", "arana"), ("Araña", "arana"), ("arana", "arana"), ("Ègo", "ego"),
        ("E\u{301}", "e"), ("Ångström", "angstrom"), ("Straße", "straße"), ("İstanbul", "istanbul"), ("에이", "에이"),
        ("Ωmega", "ωmega"), ("\u{212A}elvin", "kelvin"), (" Leading", " leading"), ("M.O.D.O.K.", "m.o.d.o.k."),
    ])
    func caseAndAccentsAreFolded(_ name: String, _ folded: String) {
        #expect(String(decoding: FoldedName(name).utf8, as: UTF8.self).unicodeScalars.elementsEqual(decomposed(folded)))
    }

    /// A letter before U+0280 is folded by a table, unless a later letter is a different one.
    @Test func latinLettersAreFoldedAsUnicodeSays() {
        var random = SeededRandom(seed: 1)
        func letter() -> Character { Character(Unicode.Scalar(UInt16(random.number(below: 0x280))) ?? "a") }
        for _ in 0..<2_000 {
            let name = String((0..<8).map { _ in letter() })
            #expect(FoldedName(name).utf8 + [0xE6, 0xBC, 0xA2] == FoldedName(name + "漢").utf8)
        }
    }

    /// Hangul syllables come apart; what the table says of other text is as it stands there.
    private func decomposed(_ text: String) -> [Unicode.Scalar] {
        Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
    }
}
