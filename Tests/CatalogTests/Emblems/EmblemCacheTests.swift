import MarvelDomain
import Testing

@testable import Catalog

@Suite struct EmblemCacheTests {
    @Test func picturesAreTheCatalogsAndNoMoreAreKeptThanFit() {
        let cache = EmblemCache(capacity: 3)
        for id in [1, 2, 3, 4, 5, 4, 1] as [Int64] {
            let character = MarvelCharacter(id: id, name: "A \(id)")
            let picture = Emblem(id: id, name: character.name).png(.portraitSmall)
            #expect(cache.png(character, .portraitSmall) == picture)
            #expect(cache.png(character, .portraitSmall) == picture)
        }
        #expect(cache.count == 3)
    }

    @Test func aRenamedCharacterHasTheEmblemOfItsNewName() {
        let cache = EmblemCache()
        let before = cache.png(MarvelCharacter(id: 1, name: "Ant"), .portraitSmall)
        let after = cache.png(MarvelCharacter(id: 1, name: "Bee"), .portraitSmall)
        #expect(before != after)
        #expect(after == Emblem(id: 1, name: "Bee").png(.portraitSmall))
    }
}
