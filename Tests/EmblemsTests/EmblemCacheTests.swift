import MarvelDomain
import Testing

@testable import Emblems

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
}
