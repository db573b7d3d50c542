import Catalog
import MarvelDomain
import Synchronization

/// Pictures in memory: a store of them that keeps what is on its one list, and a source that gives or fails.
final class TestPictures: PictureStore, PictureSource {
    struct State {
        var favorites: [Int64: MarvelCharacter] = [:]
        var kept: [Int64: Picture] = [:]
        /// Of every character.
        var failure: PictureError?
        var failures: [Int64: PictureError] = [:]
        var storeFailure: StoreError?
        var fetches: [Int64] = []
        /// The number of transactions that kept pictures.
        var keepCount = 0
    }

    private let state = Mutex(State())

    static func picture(_ id: Int64) -> Picture { Picture(bytes: [UInt8(truncatingIfNeeded: id)], mediaType: .gif) }

    var value: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> FoundPicture {
        let failure = state.withLock { state in
            state.fetches.append(character.id)
            return state.failure ?? state.failures[character.id]
        }
        if let failure { throw failure }
        return FoundPicture(Self.picture(character.id))
    }

    func picture(of id: Int64) async throws(StoreError) -> KeptPicture? {
        value.kept[id].map { KeptPicture($0, age: .seconds(60)) }
    }

    func hasPicture(of id: Int64) async throws(StoreError) -> Bool { value.kept[id] != nil }

    func keep(_ pictures: [Int64: Picture]) async throws(StoreError) -> Set<Int64> {
        state.withLock { state in
            state.keepCount += 1
            let held = pictures.filter { state.favorites[$0.key] != nil }
            state.kept.merge(held) { _, new in new }
            return Set(held.keys)
        }
    }

    func dropPictures(of ids: Set<Int64>?) async throws(StoreError) {
        state.withLock { state in
            for id in ids ?? Set(state.kept.keys) where state.favorites[id] == nil { state.kept[id] = nil }
        }
    }

    func charactersWithoutPicture(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        let state = value
        if let failure = state.storeFailure { throw failure }
        let missing = state.favorites.values.filter { state.kept[$0.id] == nil && !excluded.contains($0.id) }
        return Array(missing.sorted { $0.id < $1.id }.prefix(limit))
    }
}
