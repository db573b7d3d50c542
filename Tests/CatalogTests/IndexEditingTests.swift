import CatalogReading
import MarvelDomain
import Testing
import WireMessages

@testable import Catalog

/// An index that was edited equals one that is rebuilt from its contents.
@Suite struct IndexEditingTests {
    private static let limits = CharacterIndex.BlockLimits(characters: 8)
    private static let characters = Array(SyntheticCharacters(count: 60))

    /// Few names, so that many fold alike, and all prefixes can be tried. Two words share their first eight letters.
    private static let names = [
        "Ara", "ARA", "ara", "Arà", "Arana", "Ar", "b", "Bb", "bbb", "Zed", "z", "", "Zed Bbbbbbbbc", "bbbbbbbbd",
    ]

    private static func expect(_ index: CharacterIndex, holds characters: [Int64: MarvelCharacter]) throws {
        let rebuilt = CharacterIndex(characters.values)
        #expect(index.count == characters.count)
        let all = try CharacterIndexTests.decode(rebuilt, 0..<rebuilt.count)
        #expect(try CharacterIndexTests.decode(index, 0..<index.count) == all)
        for id in characters.keys {
            #expect(index.position(ofID: id) == rebuilt.position(ofID: id))
            let element = try #require(index.encodedElement(id: id))
            #expect(element == rebuilt.encodedElement(id: id))
        }
        for prefix in Self.names + ["a", "ar", "bb", "ze", "~", "spider", "the"] {
            #expect(FoldedName.with(prefix, index.range) == FoldedName.with(prefix, rebuilt.range))
        }
        let forms = all.map { SearchForm($0.name) }
        for text in Self.names + ["o", "kal", "of", "~", "bbbbbbbb", "bbbbbbbbc"] {
            let letters = SearchForm(text).letters
            guard !letters.isEmpty else { continue }
            var ranking = ComicsRanking(maximumCount: 1000)
            let places = index.places(ofWordsBeginningWith: letters)
            index.forEachName(withWordsAt: places, beginningWith: letters) { ranking.offer($0) }
            let expected = all.indices.filter { number in
                forms[number].wordStarts.contains { forms[number].letters[$0...].starts(with: letters) }
            }
            // A sort keeps the order of equal elements.
            #expect(Array(ranking.positions) == expected.sorted { all[$0].comicCount > all[$1].comicCount }, "\(text)")
        }
    }

    @Test(arguments: 0..<15 as Range<UInt64>)
    func randomEditsMatchAFreshIndex(seed: UInt64) throws {
        var choices = SeededRandom(seed: seed)
        var held = Dictionary(uniqueKeysWithValues: Self.characters.map { ($0.id, $0) })
        var index = CharacterIndex(held.values, limits: Self.limits)
        for _ in 0..<30 {
            var put: [Int64: MarvelCharacter] = [:]
            for _ in 0..<choices.number(below: 6) {
                // New ones, ones that were there from the first, and ones that were added or taken out before.
                let id =
                    choices.number(below: 3) == 0
                    ? Int64(1 + choices.number(below: 40))
                    : SyntheticCharacters.firstID + Int64(choices.number(below: 60))
                let name =
                    choices.number(below: 2) == 0
                    ? choices.element(of: Self.names) : SyntheticText.name(&choices)
                put[id] = MarvelCharacter(id: id, name: name, comicCount: Int32(choices.number(below: 100)))
            }
            let removed = Set(
                (0..<choices.number(below: 5)).map { _ in
                    choices.number(below: 2) == 0
                        ? Int64(1 + choices.number(below: 40))
                        : SyntheticCharacters.firstID + Int64(choices.number(below: 60))
                }
            ).subtracting(put.keys)
            let before = index
            let heldBefore = held
            index = index.editing(putting: Array(put.values), removing: removed, limits: Self.limits)
            for id in removed { held[id] = nil }
            held.merge(put) { $1 }
            try Self.expect(index, holds: held)
            // Readers of the earlier index do not see the edit.
            #expect(before.count == heldBefore.count)
        }
    }

    @Test func aBlockThatGrowsTooLargeIsSplit() throws {
        let index = CharacterIndex(Self.characters, limits: Self.limits)
        let new = (1...5).map { MarvelCharacter(id: $0, name: "aaa") }
        let grown = index.editing(putting: Array(new[..<4]), limits: Self.limits)
        #expect(grown.blocks.map(\.count).max() == 12)
        let split = grown.editing(putting: [new[4]], limits: Self.limits)
        #expect(split.blocks.count == index.blocks.count + 1)
        #expect(split.blocks.map(\.count).max() == 8)
        #expect(split.ids(0..<5) == [1, 2, 3, 4, 5])
    }

    @Test func anIndexCanBeEmptiedAndFilledAgain() throws {
        let index = CharacterIndex(Self.characters, limits: Self.limits)
        let empty = index.editing(putting: [], removing: Set(Self.characters.map(\.id)), limits: Self.limits)
        #expect(empty.count == 0 && empty.blocks.isEmpty)
        #expect(empty.position(ofID: Self.characters[0].id) == nil)
        let filled = empty.editing(putting: Self.characters, limits: Self.limits)
        try Self.expect(filled, holds: Dictionary(uniqueKeysWithValues: Self.characters.map { ($0.id, $0) }))
    }
}
