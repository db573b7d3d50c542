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
    private static let countLimit = 200
    private static let byteLimit = 64 * 1024 * 1024

    package let isEnabled: Bool
    private var states = LeastRecentlyUsed<PictureKey, State>()
    private var wanted: [PictureKey] = []
    private(set) var loading: Set<PictureKey> = []

    package init(isEnabled: Bool) { self.isEnabled = isEnabled }

    package subscript(key: PictureKey) -> State {
        isEnabled ? states[key] ?? .loading : .none
    }

    /// Loads the missing pictures of `keys` in order, and cancels other loads. Keys beyond the cache's capacity are
    /// ignored.
    mutating func want(_ keys: [PictureKey]) -> [BrowseEffect] {
        let keys = Array(keys.prefix(Pictures.countLimit))
        guard isEnabled, keys != wanted else { return [] }
        wanted = keys
        for key in keys { states.use(key) }
        let dropped = loading.subtracting(keys)
        loading.subtract(dropped)
        let cancels = dropped.sorted { $0.characterID < $1.characterID }.map(BrowseEffect.cancelPicture)
        return cancels + loadMore()
    }

    mutating func received(_ state: State, for key: PictureKey) -> [BrowseEffect] {
        guard loading.remove(key) != nil else { return [] }
        insert(state, for: key)
        return loadMore()
    }

    mutating func retryFailed() -> [BrowseEffect] {
        states.removeAll { $0 == .failed }
        return loadMore()
    }

    /// Stores the state `none` if there is no room, which prevents repeated loading.
    private mutating func insert(_ state: State, for key: PictureKey) {
        let needed = Set(wanted).union([key])
        states.keep(state, for: key, cost: state.byteCount)
        while states.count > Pictures.countLimit || states.cost > Pictures.byteLimit {
            guard states.evict(sparing: needed) != nil else {
                states.keep(.none, for: key, cost: 0)
                return
            }
        }
    }

    private mutating func loadMore() -> [BrowseEffect] {
        let room = Pictures.loadLimit - loading.count
        let next = wanted.lazy.filter { [states, loading] in states[$0] == nil && !loading.contains($0) }.prefix(room)
        let keys = Array(next)
        loading.formUnion(keys)
        return keys.map(BrowseEffect.loadPicture)
    }
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
