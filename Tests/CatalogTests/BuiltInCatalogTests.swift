import CatalogReading
import MarvelDomain
import Testing

@testable import Catalog

@Suite struct BuiltInCatalogTests {
    @Test func everyLineOfTheDataIsACharacter() {
        let characters = BuiltInCatalog.characters()
        #expect(characters.count == 1439)
        #expect(Set(characters.map(\.id)).count == 1439)
        #expect(characters.count { !$0.description.isEmpty } >= 300)
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
}
