import MarvelDomain
import Testing

@testable import Catalog

@Suite struct EmblemTests {
    @Test(arguments: ImageVariant.allCases)
    func everyVariantIsAWholePictureOfItsSize(variant: ImageVariant) {
        let file = Emblem(id: 1_009_610, name: "Spider-Man").png(variant)
        #expect(file.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]))
        #expect(file.suffix(8) == Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
        #expect(file.size == [variant.width, variant.height])
    }

    @Test func everyIDHasAPictureOfItsOwn() {
        let pictures = (1_009_144..<1_009_194).map { Emblem(id: $0, name: "X").png(.standardSmall) }
        #expect(Set(pictures).count == pictures.count)
    }

    @Test(
        arguments: [
            "", " ", "(", "()", "-", "🕷️", "에이", "Ωmega", "\u{301}", "ß", "\0", String(repeating: "A", count: 10_000),
        ]
    )
    func oddNamesHaveAPicture(name: String) {
        for id in [Int64.min, 0, .max] {
            #expect(Emblem(id: id, name: name).png(.standardSmall).size.first == 65)
        }
    }

    @Test func aPictureIsAFewKilobytes() {
        for id in Int64(1_009_144)..<1_009_164 {
            #expect(Emblem(id: id, name: "Captain America").png(.standardLarge).count < 8 * 1024)
        }
    }

    @Test(
        arguments: [
            ("Spider-Man", "SM"), ("Thor", "T"), ("Captain Marvel (Carol Danvers)", "CM"), ("A.I.M.", "AI"),
            ("The Hand", "H"), ("The", "T"), ("Guardians of the Galaxy", "GG"), ("3-D Man", "3D"),
            (" jane foster ", "JF"), ("\"Ted\" Forrester", "TF"),
            ("에이", ""), ("🕷️", ""), ("", ""), ("(Ultimate)", ""),
        ]
    )
    func initialsAreTheFirstLettersOfTheFirstWords(name: String, expected: String) {
        #expect(String(BlockLetters.initials(of: name)) == expected)
    }
}

extension [UInt8] {
    /// The width and height in the header of a PNG file (RFC 2083, section 4.1.1).
    fileprivate var size: [Int] {
        [16..<20, 20..<24].map { self[$0].reduce(0) { $0 << 8 | Int($1) } }
    }
}
