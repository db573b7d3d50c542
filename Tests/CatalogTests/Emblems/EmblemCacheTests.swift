import MarvelDomain
import Testing
import WireMessages

@testable import Catalog

@Suite struct EmblemCacheTests {
    @Test func aRenamedCharacterHasTheEmblemOfItsNewName() {
        let cache = EmblemCache()
        let before = cache.png(MarvelCharacter(id: 1, name: "Ant"), .portraitSmall)
        let after = cache.png(MarvelCharacter(id: 1, name: "Bee"), .portraitSmall)
        #expect(before != after)
        #expect(cache.drawnPNG(id: 1, name: "Ant", .portraitSmall) == nil)
        #expect(after == Emblem(id: 1, name: "Bee").png(.portraitSmall))
    }

    @Test func aCatalogKnowsWhosePicturesAreDrawn() {
        func picture(_ path: String) -> Thumbnail { Thumbnail(path: path, fileExtension: "png") }
        let characters = [
            MarvelCharacter(id: 1, name: "Ant", thumbnail: picture("emblem/1")),
            MarvelCharacter(
                id: 2,
                name: "Bée",
                description: "A bee.",
                modified: Timestamp(seconds: 5),
                thumbnail: picture("emblem:2")
            ),
            MarvelCharacter(id: 3, name: "Cat", description: "A cat.", thumbnail: picture("http://host/3")),
            MarvelCharacter(id: 4, name: "Dog"),
        ]
        let catalog = InMemoryCatalog(characters, kind: .file, attribution: "", source: .unspecified)
        for character in characters {
            let name = catalog.drawnCharacter(id: character.id)?.name
            #expect(name == (character.isDrawn ? character.name : nil))
        }
        #expect(catalog.drawnCharacter(id: 5)?.name == nil)
    }
}
