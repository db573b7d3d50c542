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
}
