import CatalogReading
import MarvelDomain
import Testing

@testable import Catalog

@Suite struct BuiltInCatalogTests {
    @Test func everyLineOfTheDataIsACharacter() {
        let characters = BuiltInCatalog.characters()
        #expect(characters.count == 1439)
        #expect(zip(characters, characters.dropFirst()).allSatisfy { $0.id < $1.id })
    }

    @Test func aCharacterIsReadFromItsLine() throws {
        let character = try #require(BuiltInCatalog.character("1010752|9|Karolina Dean |A run|away."))
        #expect(
            character
                == MarvelCharacter(
                    id: 1_010_752,
                    name: "Karolina Dean ",
                    description: "A run|away.",
                    thumbnail: Thumbnail(path: "emblem/1010752", fileExtension: "png"),
                    comicCount: 9
                )
        )
    }

    @Test(arguments: [
        "", "1|2|name", "x|2|name|", "0|2|name|", "-1|2|name|", "1|-2|name|", "1|2||", "1|99999999999|n|",
    ])
    func otherLinesAreNotCharacters(_ line: String) {
        #expect(BuiltInCatalog.character(line[...]) == nil)
    }

    private let lines = BuiltInCatalog.lines

    /// The fields of a line; the description may itself hold bars.
    private func fields(_ line: Substring) -> [Substring] {
        line.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false)
    }

    @Test(arguments: ["1010752|9|Karolina Dean |", "1010999|0|Edward \"Ted\" Forrester|", "1017438|22|Araña|"])
    func namesAreAsTheAPIHadThem(beginning: String) {
        #expect(self.lines.contains { $0.utf8.starts(with: beginning.utf8) })
    }

    @Test func descriptionsAreShortPlainText() {
        let descriptions = self.lines.map { self.fields($0)[3] }.filter { !$0.isEmpty }
        #expect(descriptions.count == Set(descriptions).count)
        #expect(descriptions.count >= 320)
        for description in descriptions {
            #expect(description.count <= 300 && description.hasSuffix("."), "\(description)")
            #expect(!description.contains { "<>&\t".contains($0) }, "\(description)")
        }
    }
}
