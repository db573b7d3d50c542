import MarvelDomain
import Synchronization

/// A store that forgets everything at its end, and fails when it is told to.
final class MemoryStore: FavoritesStore {
    private struct State {
        var lists: [ListName: FavoritesList] = [:]
        var answers: [RequestID: (toggle: Toggle, result: ToggleResult)] = [:]
        var failure: StoreError?
        var questions: [(toggle: Toggle, hasCharacter: Bool)] = []
        var changes: [ListName: [FavoritesChange]] = [:]
        /// How many changes were asked for, each time that some were.
        var historyLimits: [Int] = []
        var observer: (@Sendable (ListName, FavoritesChange) -> Void)?
    }

    let history = HistoryID(616)
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int = 5) { self.capacity = capacity }

    /// Each toggle that the store was asked for, and whether a snapshot came with it.
    var questions: [(toggle: Toggle, hasCharacter: Bool)] { state.withLock { $0.questions } }

    func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    func favoriteIDs(_ list: ListName) -> [Int64] {
        state.withLock { $0.lists[list]?.favorites.map(\.character.id) ?? [] }
    }

    func reach(_ revision: Int64, of list: ListName) async throws(StoreError) -> Bool {
        state.withLock { ($0.lists[list]?.revision ?? 0) >= revision }
    }

    func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList {
        let answer = state.withLock { state -> Result<FavoritesList, StoreError> in
            if let failure = state.failure { return .failure(failure) }
            return .success(state.lists[list] ?? FavoritesList(favorites: [], revision: 0, capacity: capacity))
        }
        return try answer.get()
    }

    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ToggleOutcome {
        let answer = state.withLock { state in
            state.questions.append((toggle, character != nil))
            return MemoryStore.apply(toggle, character, capacity, &state)
        }
        return try answer.get()
    }

    func bringUpToDate(
        _ ids: Set<Int64>,
        to current: @escaping @Sendable (Int64) -> MarvelCharacter?
    ) async throws(StoreError) -> Int {
        let answer = state.withLock { state -> Result<Int, StoreError> in
            if let failure = state.failure { return .failure(failure) }
            var changedCount = 0
            for (name, var list) in state.lists {
                let updated = list.favorites.compactMap { favorite -> Favorite? in
                    guard ids.contains(favorite.character.id), let now = current(favorite.character.id),
                        now != favorite.character
                    else { return nil }
                    return Favorite(character: now, savedAt: favorite.savedAt)
                }
                guard !updated.isEmpty else { continue }
                let change = FavoritesChange(revision: list.revision + 1, updated: updated)
                list.apply(change)
                state.lists[name] = list
                state.changes[name, default: []].append(change)
                state.observer?(name, change)
                changedCount += 1
            }
            return .success(changedCount)
        }
        return try answer.get()
    }

    // MARK: History

    var historyLimits: [Int] { state.withLock(\.historyLimits) }

    /// Lets go of the changes up to `revision`.
    func compact(_ list: ListName, upTo revision: Int64) {
        state.withLock { state in
            state.changes[list]?.removeAll { $0.revision <= revision }
        }
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        let answer = state.withLock { state -> Result<ChangeHistory, StoreError> in
            if let failure = state.failure { return .failure(failure) }
            state.historyLimits.append(limit)
            let current = state.lists[list]?.revision ?? 0
            guard revision <= current else { return .success(.ahead(current: current)) }
            let changes = state.changes[list] ?? []
            let oldest = (changes.first?.revision ?? current + 1) - 1
            guard revision >= oldest else { return .success(.compacted(oldest: oldest)) }
            return .success(.changes(Array(changes.filter { $0.revision > revision }.prefix(limit))))
        }
        return try answer.get()
    }

    func observeChanges(_ observer: @escaping @Sendable (ListName, FavoritesChange) -> Void) {
        state.withLock { $0.observer = observer }
    }

    private static func apply(
        _ toggle: Toggle,
        _ character: MarvelCharacter?,
        _ capacity: Int,
        _ state: inout State
    ) -> Result<ToggleOutcome, StoreError> {
        if let failure = state.failure { return .failure(failure) }
        if let id = toggle.requestID, let answer = state.answers[id] {
            return answer.toggle == toggle ? .success(.done(answer.result)) : .failure(.requestIDReused)
        }
        var list = state.lists[toggle.list] ?? FavoritesList(favorites: [], revision: 0, capacity: capacity)
        let place = list.favorites.firstIndex { $0.character.id == toggle.characterID }
        var evicted: [Favorite] = []
        let saves = toggle.desired == .saved || (toggle.desired == .toggle && place == nil)
        let revision = list.revision
        var saved: Favorite?
        var removed: Favorite?
        if saves, place == nil {
            guard let character else { return .success(.characterNeeded) }
            while list.favorites.count >= capacity { evicted.append(list.favorites.removeFirst()) }
            let favorite = Favorite(character: character, savedAt: Timestamp(seconds: list.revision))
            list.favorites.append(favorite)
            saved = favorite
            list.revision += 1
        } else if !saves, let place {
            removed = list.favorites.remove(at: place)
            list.revision += 1
        }
        state.lists[toggle.list] = list
        if list.revision > revision {
            let change = FavoritesChange(revision: list.revision, saved: saved, removed: removed, evicted: evicted)
            state.changes[toggle.list, default: []].append(change)
            state.observer?(toggle.list, change)
        }
        let result = ToggleResult(
            isFavorite: saves,
            revision: list.revision,
            evicted: evicted,
            place: FavoritesPlace(list: toggle.list, history: HistoryID(616), revision: list.revision)
        )
        if let id = toggle.requestID { state.answers[id] = (toggle, result) }
        return .success(.done(result))
    }
}
