import MarvelDomain
import Testing

@testable import Emblems

@Suite struct ChecksumTests {
    /// The check value of every catalog of CRCs, and the chunk that ends each PNG file.
    @Test(arguments: [("123456789", 0xCBF4_3926), ("", 0), ("IEND", 0xAE42_6082)] as [(String, UInt32)])
    func crc32HasItsKnownValues(text: String, expected: UInt32) {
        #expect(Checksum.crc32(text.utf8) == expected)
    }

    @Test(arguments: [("", 1), ("a", 0x0062_0062), ("Wikipedia", 0x11E6_0398)] as [(String, UInt32)])
    func adler32HasItsKnownValues(text: String, expected: UInt32) {
        #expect(Checksum.adler32(Array(text.utf8)) == expected)
    }

    @Test func adler32DoesNotOverflow() {
        // The largest sums that its blocks can make; the value was worked out with unbounded integers.
        let bytes = [UInt8](repeating: 0xFF, count: 100_000)
        let low = (1 + 255 * bytes.count) % 65_521
        let high = (bytes.count + 255 * (bytes.count * (bytes.count + 1) / 2)) % 65_521
        #expect(Checksum.adler32(bytes) == UInt32(high << 16 | low))
    }
}

@Suite struct DeflateTests {
    @Test func anEmptyStreamIsHeaderEndOfBlockAndChecksum() {
        #expect(Deflate.zlibStream(of: [], stride: 1) == [0x78, 0x01, 0x03, 0x00, 0, 0, 0, 1])
    }

    @Test func aRunComesBackWhole() throws {
        let run = [UInt8](repeating: 7, count: 10_000)
        let stream = Deflate.zlibStream(of: run, stride: 100)
        #expect(stream.count < 100)
        #expect(try Inflater.inflate(stream) == run)
    }

    /// Each length around the borders of the length codes, the longest among them.
    @Test(arguments: [1, 2, 3, 10, 11, 12, 18, 19, 34, 35, 66, 67, 130, 131, 257, 258, 259, 260, 517])
    func runsOfEveryKindOfLengthComeBackWhole(length: Int) throws {
        let bytes = [UInt8](repeating: 200, count: length + 1) + [1, 2, 3]
        #expect(try Inflater.inflate(Deflate.zlibStream(of: bytes, stride: 40_000)) == bytes)
    }

    /// Rows of every byte, so far apart that all distance codes are used.
    @Test(arguments: [1, 2, 3, 4, 5, 8, 9, 256, 257, 1025, 9000, 32_768, 32_769])
    func distancesOfEveryKindComeBackWhole(stride: Int) throws {
        var source = HashSource(seed: 616)
        let row = (0..<stride).map { _ in UInt8(source.next(below: 256)) }
        let bytes = row + row + row.prefix(300)
        #expect(try Inflater.inflate(Deflate.zlibStream(of: bytes, stride: stride)) == bytes)
    }
}

@Suite struct EmblemTests {
    @Test(arguments: ImageVariant.allCases)
    func everyVariantIsAWholePictureOfItsSize(variant: ImageVariant) throws {
        let file = try PNGFile(Emblem(id: 1_009_610, name: "Spider-Man").png(variant))
        #expect(file.width == variant.width)
        #expect(file.height == variant.height)
        #expect(file.chunks.map(\.type) == ["IHDR", "PLTE", "IDAT", "IEND"])
        #expect(file.chunks[0].data.suffix(5) == [8, 3, 0, 0, 0])
        let rows = try Inflater.inflate(file.chunks[2].data)
        #expect(rows.count == variant.height * (variant.width + 1))
        #expect(stride(from: 0, to: rows.count, by: variant.width + 1).allSatisfy { rows[$0] == 0 })
        #expect(rows.allSatisfy { Int($0) < file.chunks[1].data.count / 3 })
    }

    @Test func theSameCharacterHasTheSamePicture() {
        let picture = Emblem(id: 1_009_664, name: "Thor").png(.standardLarge)
        #expect(picture == Emblem(id: 1_009_664, name: "Thor").png(.standardLarge))
    }

    @Test func everyIDHasAPictureOfItsOwn() {
        let pictures = (1_009_144..<1_009_194).map { Emblem(id: $0, name: "X").png(.standardSmall) }
        #expect(Set(pictures).count == pictures.count)
    }

    @Test func theNameCountsToo() {
        #expect(Emblem(id: 1, name: "Thor").png(.standardSmall) != Emblem(id: 1, name: "Loki").png(.standardSmall))
    }

    @Test(
        arguments: [
            "", " ", "(", "()", "-", "🕷️", "에이", "Ωmega", "\u{301}", "ß", "\0", String(repeating: "A", count: 10_000),
        ]
    )
    func oddNamesHaveAPicture(name: String) throws {
        for id in [Int64.min, 0, .max] {
            let file = try PNGFile(Emblem(id: id, name: name).png(.standardSmall))
            #expect(file.width == 65)
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

    @Test func theWordsOfTheMarvelAPINameTheVariants() {
        #expect(ImageVariant(rawValue: "standard_large") == .standardLarge)
        #expect(ImageVariant(rawValue: "") == .full)
        #expect(ImageVariant(rawValue: "portrait_large") == nil)
        #expect(ImageVariant(rawValue: "landscape_fantastic") == nil)
    }
}
