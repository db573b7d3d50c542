import CatalogReading
import MarvelDomain
import NIOCore
import Testing
import WireMessages

@testable import Catalog

@Suite struct CharacterIndexTests {
    private static let characters = BuiltInCatalog.characters() + SyntheticCharacters(count: 1500)
    private static let ordered = sorted(characters)

    /// The order of the design, in the plainest words.
    private static func sorted(_ characters: [MarvelCharacter]) -> [MarvelCharacter] {
        characters.sorted { left, right in
            let (leftFolded, rightFolded) = (FoldedName(left.name), FoldedName(right.name))
            if leftFolded != rightFolded { return leftFolded < rightFolded }
            let (leftName, rightName) = (Array(left.name.utf8), Array(right.name.utf8))
            if leftName != rightName { return leftName.lexicographicallyPrecedes(rightName) }
            return left.id < right.id
        }
    }

    static func decode(_ index: CharacterIndex, _ range: Range<Int>) throws -> [MarvelCharacter] {
        let runs = index.runs(range)
        return try ([runs.first] + runs.rest).flatMap { run in
            let characters = try SearchCharactersResponse(decoding: run.encoded, limit: .response).characters
            #expect(characters.map(\.id) == Array(run.ids))
            return characters
        }
    }

    @Test(arguments: [1, 7, 100, 2048, 100_000])
    func charactersAreInNameOrderForAnyBlockSize(_ blockSize: Int) throws {
        let index = CharacterIndex(Self.characters.shuffled(), limits: .init(characters: blockSize))
        #expect(index.count == Self.characters.count)
        #expect(try Self.decode(index, 0..<index.count) == Self.ordered)
    }

    @Test(arguments: [1, 7, 100, 100_000])
    func anIndexThatIsMadeInPartsIsTheSame(_ partSize: Int) throws {
        let index = CharacterIndex(distinct: Self.characters, partSize: partSize)
        #expect(index.count == Self.characters.count)
        #expect(try Self.decode(index, 0..<index.count) == Self.ordered)
        #expect(CharacterIndex(distinct: [], partSize: partSize).count == 0)
    }

    @Test func namesThatFoldAlikeAreOrderedByNameAndThenByID() throws {
        let names = ["ARANA", "Araña", "Arana", "arana", "Arana"]
        let characters = names.enumerated().map { MarvelCharacter(id: Int64(9 - $0), name: $1) }
        let index = CharacterIndex(characters)
        let ordered = try Self.decode(index, 0..<5)
        #expect(ordered.map(\.name) == ["ARANA", "Arana", "Arana", "Araña", "arana"])
        #expect(ordered.map(\.id) == [9, 5, 7, 8, 6])
    }

    /// The first eight bytes of a name are compared as one number.
    @Test func namesThatDifferLateOrByAZeroAreOrdered() throws {
        let names = [
            "abcdefgh", "abcdefghi", "abcdefg", "abcdefg\u{0}", "abcdefgh\u{0}", "a", "ab", "abcdefghj", "\u{7FF}",
        ]
        let characters = names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) }
        let index = CharacterIndex(characters, limits: .init(characters: 2))
        #expect(index.ids(0..<names.count) == Self.sorted(characters).map(\.id))
    }

    /// Every beginning of every name, against what a walk over all names counts.
    @Test(arguments: [1, 100, 2048])
    func aPrefixSearchMatchesAFullScan(_ blockSize: Int) {
        let index = CharacterIndex(Self.characters, limits: .init(characters: blockSize))
        var runs: [[UInt8]: Range<Int>] = [:]
        for (position, character) in Self.ordered.enumerated() {
            let folded = FoldedName(character.name).utf8
            for length in 0...folded.count {
                let prefix = Array(folded.prefix(length))
                runs[prefix] = (runs[prefix]?.lowerBound ?? position)..<position + 1
            }
        }
        // No query has a prefix that ends inside a letter.
        let wrong = runs.filter { prefix, run in
            String(validating: prefix, as: UTF8.self).map { FoldedName.with($0, index.range) != run } ?? false
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: ["", "zzzz", "\u{10FFFF}", "!", "~", "spider-man (peter parkers"])
    func aPrefixThatNoNameHasFindsNothing(_ prefix: String) {
        let index = CharacterIndex(Self.characters)
        #expect(FoldedName.with(prefix, index.range).isEmpty == !prefix.isEmpty)
    }

    @Test func aPageOverTheEndsOfBlocksIsSeveralRuns() throws {
        let index = CharacterIndex(Self.characters, limits: .init(characters: 10))
        let expected = Self.ordered
        for range in [0..<10, 5..<10, 10..<20, 5..<15, 9..<11, 0..<100, 3..<47, 2930..<2939, 4..<4] {
            #expect(try Self.decode(index, range) == Array(expected[range]))
        }
        #expect(index.runs(0..<10).rest.isEmpty)
        #expect(index.runs(5..<15).rest.count == 1)
        #expect(index.runs(0..<100).rest.count == 9)
    }

    @Test func aBlockEndsAtItsLimitOfBytesToo() throws {
        let large = (1...10).map {
            MarvelCharacter(id: $0, name: "n", description: String(repeating: "x", count: 1000))
        }
        let index = CharacterIndex(large, limits: .init(characters: 2048, bytes: 2500))
        #expect(index.runs(0..<10).rest.count == 4)
        let tiny = CharacterIndex(large, limits: .init(characters: 2048, bytes: 1))
        #expect(try Self.decode(tiny, 0..<10) == large)
    }

    @Test func everyIDIsFoundAtItsPlaceAndNoOther() throws {
        let index = CharacterIndex(Self.characters, limits: .init(characters: 100))
        for (position, character) in Self.ordered.enumerated() {
            #expect(index.position(ofID: character.id) == position)
        }
        let element = try #require(index.encodedElement(id: 1_009_610))
        #expect(try SearchCharactersResponse(decoding: element, limit: .response).characters.map(\.id) == [1_009_610])
        for id in [0, -1, 1, Int64.max] { #expect(index.encodedElement(id: id) == nil) }
    }

    @Test func theFirstOfSeveralCharactersWithOneIDIsKept() throws {
        let index = CharacterIndex([MarvelCharacter(id: 1, name: "b"), MarvelCharacter(id: 1, name: "a")])
        #expect(try Self.decode(index, 0..<index.count).map(\.name) == ["b"])
    }

    @Test func anEmptyIndexFindsNothing() {
        let index = CharacterIndex([])
        #expect(index.count == 0)
        #expect(FoldedName.with("sp", index.range).isEmpty)
        #expect(index.runs(0..<0).first.encoded.readableBytes == 0)
        #expect(index.encodedElement(id: 1) == nil)
    }
}

extension CharacterIndex {
    func ids(_ range: Range<Int>) -> [Int64] {
        let runs = runs(range)
        return ([runs.first] + runs.rest).flatMap(\.ids)
    }

    func name(at position: Int) -> String {
        let (block, slot) = place(at: position)
        return blocks[block].character(slot)?.name ?? ""
    }

    /// A character as one element of the field `characters` of `SearchCharactersResponse`.
    func encodedElement(id: Int64) -> ByteBuffer? {
        place(ofID: id).map { blocks[$0.block].run($0.slot..<$0.slot + 1).encoded }
    }
}
