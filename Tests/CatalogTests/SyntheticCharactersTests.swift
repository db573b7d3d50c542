import CatalogReading
import MarvelDomain
import Testing

@testable import Catalog

@Suite struct SyntheticCharactersTests {
    @Test func syntheticCharactersAreTheSameEveryTime() {
        #expect(Array(SyntheticCharacters(count: 500)) == Array(SyntheticCharacters(count: 500)))
        // Made once by hand and kept: load tests of different days compare the same data.
        #expect(SyntheticCharacters(count: 3).map(\.name) == Self.firstNames)
    }

    private static let firstNames = [
        "Lantern Lynx (Yusuf Delodofikar)", "Velvet Kaluwen", "Duchess Koruluther of Marudazevik",
    ]

    @Test func aSmallCatalogIsTheBeginningOfALargeOne() {
        let large = SyntheticCharacters(count: 1_000_000)
        #expect(large.count == 1_000_000)
        #expect(Array(large.prefix(100)) == Array(SyntheticCharacters(count: 100)))
    }

    @Test(arguments: [(0, 1), (-5, 1), (1, 1), (1_000_000, 1_000_000), (Int.max, 1_000_000)])
    func theCountIsKeptWithinItsLimits(_ asked: Int, _ count: Int) {
        #expect(SyntheticCharacters(count: asked).count == count)
    }

    @Test func idsAreApartFromRealOnes() {
        let real = Set(BuiltInCatalog.characters().map(\.id))
        for (index, character) in SyntheticCharacters(count: 2000).enumerated() {
            #expect(character.id == 2_000_000 + Int64(index))
            #expect(!real.contains(character.id))
        }
    }

    @Test func namesAreSpreadAsRealOnesAre() {
        let characters = Array(SyntheticCharacters(count: 5000))
        let lengths = characters.map(\.name.count)
        let mean = Double(lengths.reduce(0, +)) / Double(lengths.count)
        #expect((12...22).contains(mean))
        #expect(lengths.allSatisfy { (4...60).contains($0) })
        #expect(Set(characters.map(\.name)).count > 4500)
        let accented = characters.count { !$0.name.utf8.allSatisfy { $0 < 0x80 } }
        #expect((200...2500).contains(accented))
        let described = characters.count { !$0.description.isEmpty }
        #expect((800...1200).contains(described))
        #expect(characters.allSatisfy { $0.comicCount >= 0 && $0.seriesCount >= 0 && $0.storyCount >= 0 })
    }
}
