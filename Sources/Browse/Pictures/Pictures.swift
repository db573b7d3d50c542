internal import MarvelDomain
package import TerminalUI

package struct Pictures: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case loading
        case image(PixelImage)
        /// The character has no picture, or pictures are disabled.
        case none
        case failed
    }

    package static let loadLimit = 4

    package let isEnabled: Bool
    private var cache = PictureCache()
    private var wanted: [PictureKey] = []
    private(set) var loading: Set<PictureKey> = []

    package init(isEnabled: Bool) { self.isEnabled = isEnabled }

    package subscript(key: PictureKey) -> State {
        isEnabled ? cache[key] ?? .loading : .none
    }

    /// Loads the missing pictures of `keys` in order, and cancels other loads. Keys beyond the cache's capacity are
    /// ignored.
    mutating func want(_ keys: [PictureKey]) -> [BrowseEffect] {
        let keys = Array(keys.prefix(PictureCache.countLimit))
        guard isEnabled, keys != wanted else { return [] }
        wanted = keys
        cache.touch(keys)
        let dropped = loading.subtracting(keys)
        loading.subtract(dropped)
        let cancels = dropped.sorted { $0.characterID < $1.characterID }.map(BrowseEffect.cancelPicture)
        return cancels + loadMore()
    }

    mutating func received(_ state: State, for key: PictureKey) -> [BrowseEffect] {
        guard loading.remove(key) != nil else { return [] }
        cache.insert(state, for: key)
        return loadMore()
    }

    mutating func retryFailed() -> [BrowseEffect] {
        cache.removeFailed()
        return loadMore()
    }

    private mutating func loadMore() -> [BrowseEffect] {
        let room = Pictures.loadLimit - loading.count
        let next = wanted.lazy.filter { [cache, loading] in cache[$0] == nil && !loading.contains($0) }.prefix(room)
        let keys = Array(next)
        loading.formUnion(keys)
        return keys.map(BrowseEffect.loadPicture)
    }
}

struct PictureCache: Sendable, Equatable {
    static let countLimit = 200
    static let byteLimit = 64 * 1024 * 1024

    private var states = LeastRecentlyUsed<PictureKey, Pictures.State>()
    private var visible: Set<PictureKey> = []

    var byteCount: Int { states.cost }
    var count: Int { states.count }

    subscript(key: PictureKey) -> Pictures.State? { states[key] }

    mutating func touch(_ keys: [PictureKey]) {
        visible = Set(keys)
        for key in keys { states.use(key) }
    }

    /// Stores the state `none` if there is no room, which prevents repeated loading.
    mutating func insert(_ state: Pictures.State, for key: PictureKey) {
        states.keep(state, for: key, cost: state.byteCount)
        while states.count > PictureCache.countLimit || states.cost > PictureCache.byteLimit {
            guard states.evict(sparing: visible.union([key])) != nil else {
                states.keep(.none, for: key, cost: 0)
                return
            }
        }
    }

    mutating func removeFailed() { states.removeAll { $0 == .failed } }
}

extension Pictures.State {
    fileprivate var byteCount: Int {
        if case .image(let image) = self { image.pixels.count } else { 0 }
    }
}

package struct PictureKey: Sendable, Hashable {
    package enum Size: Sendable, Hashable {
        case card
        case detail
    }

    package var characterID: Int64
    package var size: Size

    package init(_ characterID: Int64, _ size: Size) {
        self.characterID = characterID
        self.size = size
    }
}
