import MarvelDomain
import Synchronization

/// A store whose every step is the test's: when a change is on disk, when the observer hears of it, and how long what
/// was read is on its way.
final class SteppedStore: FavoritesStore {
    private struct State {
        var revision = 0
        var observedRevision = 0
        var observer: (@Sendable (ListName, FavoritesChange) -> Void)?
        var readers: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    /// Who reads. Nobody in particular does not wait.
    @TaskLocal static var reader: Int?

    let history = HistoryID(616)
    private let state = Mutex(State())

    /// What happens to the list.
    static let changes = (1...3 as ClosedRange<Int64>).map { revision in
        let character = MarvelCharacter(id: revision, name: "Character \(revision)")
        let saved = Favorite(character: character, savedAt: Timestamp(seconds: revision))
        return FavoritesChange(revision: revision, saved: saved)
    }

    /// What the list is at revision 0, 1, and so on.
    static let lists = (0...3).map { revision in
        let favorites = changes.prefix(revision).compactMap(\.saved)
        return FavoritesList(favorites: favorites, revision: Int64(revision), capacity: 5)
    }

    /// The next change is on disk.
    func commit() {
        state.withLock { $0.revision += 1 }
    }

    /// The observer hears of the next change that is on disk.
    func observe() {
        let (observer, change) = state.withLock { state in
            defer { state.observedRevision += 1 }
            return (state.observer, SteppedStore.changes[state.observedRevision])
        }
        observer?(.default, change)
    }

    /// What the reader has read arrives.
    func release(_ reader: Int) {
        state.withLock { $0.readers.removeValue(forKey: reader) }?.resume()
    }

    private func arrival() async {
        guard let reader = SteppedStore.reader else { return }
        await withCheckedContinuation { continuation in
            state.withLock { $0.readers[reader] = continuation }
        }
    }

    func reach(_ revision: Int64, of list: ListName) async throws(StoreError) -> Bool { true }

    func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList {
        let list = SteppedStore.lists[state.withLock(\.revision)]
        await arrival()
        return list
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        let changes = SteppedStore.changes[Int(revision)..<state.withLock(\.revision)]
        await arrival()
        return .changes(Array(changes.prefix(limit)))
    }

    func observeChanges(_ observer: @escaping @Sendable (ListName, FavoritesChange) -> Void) {
        state.withLock { $0.observer = observer }
    }

    func favoriteIDs(_ list: ListName) -> [Int64] { [] }

    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ToggleOutcome {
        .characterNeeded
    }

    func bringUpToDate(
        _ ids: Set<Int64>,
        to current: @escaping @Sendable (Int64) -> MarvelCharacter?
    ) async throws(StoreError) -> Int { 0 }

    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary] { [] }

    func delete(_ list: ListName) async throws(StoreError) -> ListDeletion {
        ListDeletion(revision: 0, existed: false)
    }
}
