package import MarvelDomain
internal import Synchronization

/// A store that keeps its lists in memory, by the same rules as any other: for tests of what uses a store, and as the
/// reference that other stores are compared with.
///
/// All answers are kept, and the last revision of each name. It fails when it is told to.
package final class MemoryFavoritesStore: FavoritesStore {
    fileprivate struct State {
        var history: HistoryID
        /// The revision of names that had no list in this history.
        var base: Int64 = 0
        var rules: ListRules
        var lists: [ListName: FavoritesList] = [:]
        /// The names of the lists' owners.
        var owners: [ListName: String] = [:]
        /// The revision of every name that had a list in this history.
        var revisions: [ListName: Int64] = [:]
        var changes: [ListName: [FavoritesChange]] = [:]
        var answers: [RequestKey: AnsweredRequest] = [:]
        /// Changes that were not sent to the feed yet.
        var news: [ListChange] = []
        /// The revisions that were sent; nil if the store does not tell them.
        var sent: [ListName: Int64]?
        var feeding = Feeding.changes
        var feedAge = Duration.zero
        var failure: StoreError?
        var requests: [Request] = []
        var changeLimits: [Int] = []
        var snapshotCount = 0
        var beforeSnapshots: Hook?
    }

    /// A function that delays the answers of a store, or fails in their place.
    package typealias Hook = @Sendable () async throws(StoreError) -> Void

    /// A toggle that the store was asked for.
    package struct Request: Sendable, Hashable {
        package var toggle: Toggle
        /// Whether a snapshot came with it.
        package var hasCharacter: Bool
    }

    /// The events that the store sends to its feed.
    package enum Feeding: Sendable {
        /// Each change.
        case changes
        /// The revision of each change, without the change.
        case revisions
        /// Nothing, as after a lost connection. The next event is `lost`.
        case nothing
    }

    package var history: HistoryID { state.withLock(\.history) }
    package var feedAge: Duration { state.withLock(\.feedAge) }
    package let feed = StoreFeed()

    package func sentRevision(of list: ListName) -> Int64? {
        state.withLock { state in state.sent.map { $0[list] ?? state.base } }
    }

    /// The time of each save.
    private static let now = Timestamp(seconds: 1_700_000_000)

    private let state: Mutex<State>
    /// Held from a change until its event was sent.
    private let writer = Mutex(())

    /// - Parameters:
    ///   - capacity: Favorites that a list holds.
    ///   - maximumLists: Lists that the store holds.
    ///   - maximumListsPerOwner: Lists that a caller with a name may own; 0 sets no limit.
    ///   - history: The history in which revisions count.
    package init(
        capacity: Int = 5,
        maximumLists: Int = 100_000,
        maximumListsPerOwner: Int = 100,
        history: HistoryID = HistoryID(.random(in: .min ... .max))
    ) {
        let rules = ListRules(
            capacity: capacity,
            maximumLists: maximumLists,
            maximumListsPerOwner: maximumListsPerOwner
        )
        state = Mutex(State(history: history, rules: rules))
    }

    // MARK: Reading

    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        let snapshot = try unlessFailing { state in
            state.snapshotCount += 1
            return ListSnapshot(self.list(list, in: state), in: state.history)
        }
        try await state.withLock(\.beforeSnapshots)?()
        return snapshot
    }

    package func changes(
        of list: ListName,
        after revision: Int64,
        limit: Int
    ) async throws(StoreError) -> ChangeHistory {
        try unlessFailing { state in
            state.changeLimits.append(limit)
            let current = self.list(list, in: state).revision
            guard revision <= current else { return .ahead(current: current) }
            let changes = state.changes[list] ?? []
            let oldest = (changes.first?.revision ?? current + 1) - 1
            guard revision >= oldest else { return .compacted(oldest: oldest) }
            return .changes(Array(changes.filter { $0.revision > revision }.prefix(limit)))
        }
    }

    package func lists(
        prefix: String,
        after: ListName?,
        limit: Int
    ) async throws(StoreError) -> [ListSummary] {
        try unlessFailing { state in
            let names = state.lists.keys.filter { name in
                name.text.hasPrefix(prefix) && after.map { $0.text < name.text } ?? true
            }
            return names.sorted { $0.text < $1.text }.prefix(limit).map { name in
                let list = list(name, in: state)
                return ListSummary(name: name, revision: list.revision, ids: list.favorites.map(\.character.id))
            }
        }
    }

    // MARK: Writing

    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        answer(
            Result { () throws(StoreError) in
                if let deadline, deadline <= .now { throw .deadlineExceeded }
                return try self.answer(to: toggle, character)
            }
        )
        return {}
    }

    /// Carries out a toggle at once.
    package func answer(to toggle: Toggle, _ character: MarvelCharacter?) throws(StoreError) -> ToggleOutcome {
        try write { state in
            state.requests.append(Request(toggle: toggle, hasCharacter: character != nil))
            if let failure = state.failure { return .failure(failure) }
            if let key = toggle.request, let kept = state.answers[key] {
                return kept.answer(to: toggle).map(ToggleOutcome.done)
            }
            return Result { try apply(toggle, character, to: &state) }
                .mapError { $0 as? StoreError ?? .notWritable("\($0)") }
        }
    }

    private func apply(_ toggle: Toggle, _ character: MarvelCharacter?, to state: inout State) throws -> ToggleOutcome {
        let list = list(toggle.list, in: state)
        let subject = ListRules.Subject(
            ids: list.ids,
            exists: state.lists[toggle.list] != nil,
            listCount: state.lists.count
        )
        let decision = state.rules.decide(toggle, on: subject, saving: character, at: Self.now) { name in
            state.owners.values.count { $0 == name }
        }
        var change = FavoritesChange(revision: list.revision)
        switch decision {
        case .nothing: break
        case .characterNeeded: return .characterNeeded
        case .refused(let error): throw error
        case .edit(let edit):
            if !subject.exists { state.owners[toggle.list] = toggle.owner.name }
            change = try make(edit, on: toggle.list, in: &state)
        }
        let answer = ToggleResult(
            isFavorite: state.lists[toggle.list]?.favorites.contains { $0.character.id == toggle.characterID } ?? false,
            revision: change.revision,
            evicted: change.evicted,
            place: FavoritesPlace(list: toggle.list, history: state.history, revision: change.revision)
        )
        if let key = toggle.request { state.answers[key] = .toggle(toggle, answer) }
        return .done(answer)
    }

    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        answer(
            Result { () throws(StoreError) in
                if let deadline, deadline <= .now { throw .deadlineExceeded }
                return try write { state in delete(list, request, in: &state) }
            }
        )
        return {}
    }

    private func delete(
        _ list: ListName,
        _ request: RequestKey?,
        in state: inout State
    ) -> Result<ListDeletion, StoreError> {
        if let failure = state.failure { return .failure(failure) }
        if let request, let kept = state.answers[request] { return kept.answer(toDeletionOf: list) }
        var deletion = ListDeletion(revision: state.revisions[list] ?? state.base, existed: false)
        if let contents = state.lists[list],
            let change = try? make(ListRules.deletion(of: contents.ids), on: list, in: &state)
        {
            deletion = ListDeletion(revision: change.revision, existed: true)
            state.lists[list] = nil
            state.owners[list] = nil
        }
        deletion.place = FavoritesPlace(list: list, history: state.history, revision: deletion.revision)
        if let request { state.answers[request] = .deletion(list, deletion) }
        return .success(deletion)
    }

    private func make(_ edit: ListEdit, on name: ListName, in state: inout State) throws -> FavoritesChange {
        var list = list(name, in: state)
        let change = try edit.change(at: list.revision + 1, held: list.held)
        list.apply(change)
        state.lists[name] = list
        state.revisions[name] = list.revision
        state.changes[name, default: []].append(change)
        state.news.append(ListChange(name, change))
        return change
    }

    private func list(_ name: ListName, in state: State) -> FavoritesList {
        state.lists[name]
            ?? FavoritesList(
                favorites: [],
                revision: state.revisions[name] ?? state.base,
                capacity: state.rules.capacity
            )
    }

    /// Changes lists, and sends the changes to the feed before it returns.
    private func write<Value: Sendable>(
        _ body: (inout State) -> Result<Value, StoreError>
    ) throws(StoreError) -> Value {
        let result = writer.withLock { _ in
            let result = state.withLock { body(&$0) }
            let (news, feeding) = state.withLock { state in
                defer { state.news = [] }
                return (state.news, state.feeding)
            }
            for change in news {
                switch feeding {
                case .changes: feed.send(.changed([change]))
                case .revisions: feed.send(.changed([ListChange(change.list, revision: change.revision)]))
                case .nothing: continue
                }
                state.withLock { $0.sent?[change.list] = change.revision }
            }
            return result
        }
        return try result.get()
    }

    private func unlessFailing<Value: Sendable>(_ body: (inout State) -> Value) throws(StoreError) -> Value {
        let result = state.withLock { state -> Result<Value, StoreError> in
            if let failure = state.failure { return .failure(failure) }
            return .success(body(&state))
        }
        return try result.get()
    }

    // MARK: For tests

    /// The toggles that the store was asked for, in their order.
    package var requests: [Request] { state.withLock(\.requests) }

    /// The limit of each question for changes, in their order.
    package var changeLimits: [Int] { state.withLock(\.changeLimits) }

    /// Has all calls fail, or no longer.
    package func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    /// The number of snapshots that the store was asked for.
    package var snapshotCount: Int { state.withLock(\.snapshotCount) }

    /// Has the store wait before it returns a snapshot that it has read; nil for no wait.
    package func beforeSnapshots(_ hook: Hook?) { state.withLock { $0.beforeSnapshots = hook } }

    /// Has the store tell the revisions that it has sent, which are those of all lists now.
    package func tellSentRevisions() { state.withLock { $0.sent = $0.revisions } }

    /// Has the store send other events than those of its changes. After `nothing` it sends `lost`.
    package func feed(_ feeding: Feeding) {
        let before = state.withLock { state in
            defer { state.feeding = feeding }
            return state.feeding
        }
        if before == .nothing, feeding != .nothing { feed.send(.lost) }
    }

    /// Has the store say that it last asked for others' changes so long ago.
    package func setFeedAge(_ age: Duration) { state.withLock { $0.feedAge = age } }

    /// Takes another capacity, as a server does that is started again.
    package func reopen(capacity: Int) {
        state.withLock { state in
            state.rules.capacity = capacity
            for name in state.lists.keys { state.lists[name]?.capacity = capacity }
        }
    }

    /// The state of a store at a moment.
    package struct Checkpoint: Sendable {
        fileprivate let state: State
    }

    package var checkpoint: Checkpoint { Checkpoint(state: state.withLock(\.self)) }

    /// Loses all changes since a checkpoint, and continues in a new history, as a database does whose standby has taken over.
    package func goBack(to checkpoint: Checkpoint, beginning history: HistoryID) {
        writer.withLock { _ in
            state.withLock { state in
                let highest = max(state.base, state.revisions.values.max() ?? 0)
                state.history = history
                state.base = (highest >> 32 + 1) << 32
                (state.lists, state.owners) = (checkpoint.state.lists, checkpoint.state.owners)
                state.answers = checkpoint.state.answers
                for name in state.lists.keys { state.lists[name]?.revision = state.base }
                (state.revisions, state.changes, state.news) = ([:], [:], [])
            }
            feed.send(.renewed(history))
        }
    }

    /// Drops the changes of a list up to a revision.
    package func compact(_ list: ListName, upTo revision: Int64) {
        state.withLock { state in
            state.changes[list]?.removeAll { $0.revision <= revision }
        }
    }
}

extension FavoritesList {
    /// A favorite that is on the list.
    fileprivate func held(_ id: Int64) throws -> Favorite {
        guard let favorite = favorites.first(where: { $0.character.id == id }) else {
            throw StoreError.notReadable("favorite \(id) is missing")
        }
        return favorite
    }

    fileprivate var ids: [Int64] { favorites.map(\.character.id) }
}
