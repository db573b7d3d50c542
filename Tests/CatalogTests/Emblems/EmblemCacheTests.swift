import MarvelDomain
import Testing

@testable import Catalog

@Suite struct EmblemCacheTests {
    @Test func theCacheKeepsPicturesWithinItsLimit() {
        let pictures = (1...7).map { Emblem(id: $0, name: "A \($0)").png(.portraitSmall) }
        // Two in each generation.
        let maximum = 4 * (pictures.map(\.count).max() ?? 0)
        let cache = EmblemCache(maximumBytes: maximum)
        func kept(_ id: Int64) -> [UInt8]? {
            cache.drawnPNG(MarvelCharacter(id: id, name: "A \(id)"), .portraitSmall)
        }
        for id in 1...7 {
            let character = MarvelCharacter(id: Int64(id), name: "A \(id)")
            #expect(kept(Int64(id)) == nil)
            #expect(cache.png(character, .portraitSmall) == pictures[id - 1])
            #expect(kept(Int64(id)) == pictures[id - 1])
            #expect(cache.byteCount <= maximum)
            // A picture that is used again stays.
            #expect(kept(1) == pictures[0])
        }
        #expect(kept(2) == nil)
    }

    @Test func aRenamedCharacterHasTheEmblemOfItsNewName() {
        let cache = EmblemCache()
        let before = cache.png(MarvelCharacter(id: 1, name: "Ant"), .portraitSmall)
        let after = cache.png(MarvelCharacter(id: 1, name: "Bee"), .portraitSmall)
        #expect(before != after)
        #expect(after == Emblem(id: 1, name: "Bee").png(.portraitSmall))
    }
}
