import MarvelDomain
import StoreContract
import Synchronization

/// A store whose every step is the test's: when a change is on disk, when its event is sent, and how long what was read
/// is on its way.
final class SteppedStore: UnchangingStore {
    private struct State {
        var revision = 0
        var sentRevision = 0
        var readers: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    /// The reader that makes the call; nil for one that does not wait.
    @TaskLocal static var reader: Int?

    let history = HistoryID(616)
    let feed = Subject<StoreEvent>()
    private let state = Mutex(State())

    /// The changes of the list.
    static let changes = (1...3 as ClosedRange<Int64>).map { revision in
        let character = MarvelCharacter(id: revision, name: "Character \(revision)")
        let saved = Favorite(character: character, savedAt: Timestamp(seconds: revision))
        return FavoritesChange(revision: revision, saved: saved)
    }

    /// The contents of the list at revision 0, 1, and so on.
    static let lists = (0...3).map { revision in
        let favorites = changes.prefix(revision).compactMap(\.saved)
        return FavoritesList(favorites: favorites, revision: Int64(revision), capacity: 5)
    }

    /// The next change is on disk.
    func commit() {
        state.withLock { $0.revision += 1 }
    }

    /// The event of the next change that is on disk is sent.
    func send() {
        let change = state.withLock { state in
            defer { state.sentRevision += 1 }
            return SteppedStore.changes[state.sentRevision]
        }
        feed.send(.changed([ListChange(.default, change)]))
    }

    /// Lets the result of a reader's read arrive.
    func release(_ reader: Int) {
        state.withLock { $0.readers.removeValue(forKey: reader) }?.resume()
    }

    /// Everything that was read arrives.
    func releaseAll() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return state.readers
        }
        for reader in readers.values { reader.resume() }
    }

    private func arrival() async {
        guard let reader = SteppedStore.reader else { return }
        await withCheckedContinuation { continuation in
            state.withLock { $0.readers[reader] = continuation }
        }
    }

    func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        let list = SteppedStore.lists[state.withLock(\.revision)]
        await arrival()
        return ListSnapshot(list, in: history)
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        let changes = SteppedStore.changes[Int(revision)..<state.withLock(\.revision)]
        await arrival()
        return .changes(Array(changes.prefix(limit)))
    }
}
