internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

/// Random toggles and restarts, each compared with a model that fits on a page.
@Suite struct ModelTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func theStoreDoesWhatTheModelDoes(seed: UInt64) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/favorites.db"
            let clock = TestClock()
            var random = SeededGenerator(seed: seed)
            var model = Model(capacity: 3, maximumLists: 3)
            func open() throws -> SQLiteFavoritesStore {
                try SQLiteFavoritesStore(
                    path: path,
                    capacity: model.capacity,
                    maximumLists: model.maximumLists,
                    now: clock.now
                )
            }
            var store = try open()
            for step in 1...300 {
                if Int.random(in: 1...30, using: &random) == 1 {
                    await store.close()
                    model.lowerOrRaise(capacity: Int.random(in: 1...4, using: &random))
                    store = try open()
                    #expect(store.openingReport.problems == [])
                }
                if Int.random(in: 1...25, using: &random) == 1 {
                    let name = try list(["a", "b", "c", "d"].randomElement(using: &random) ?? "a")
                    let deleted = try await store.delete(name)
                    try #require(deleted == model.delete(name), "step \(step)")
                }
                clock.advance(by: Int64.random(in: -5...60, using: &random))
                let toggle = try Toggle.random(step: step, using: &random)
                let snapshot = Int.random(in: 1...8, using: &random) == 1 ? nil : character(toggle.characterID)

                let expected = model.toggle(toggle, character: snapshot, now: clock.now())
                let actual: Result<ToggleOutcome, StoreError>
                do throws(StoreError) {
                    actual = .success(try await store.toggle(toggle, character: snapshot).withoutPlace)
                } catch {
                    actual = .failure(error)
                }
                try #require(actual == expected, "step \(step)")
                try #require(try await store.favorites(toggle.list) == model.favorites(toggle.list), "step \(step)")
                try #require(store.favoriteIDs(toggle.list) == model.ids(toggle.list), "step \(step)")
                let revision = Int64.random(in: 0...100, using: &random)
                let history = try await store.changes(of: toggle.list, after: revision, limit: 5)
                try #require(history == model.changes(of: toggle.list, after: revision, limit: 5), "step \(step)")
            }
            await store.close()
        }
    }
}

/// The rules of the store in their simplest form.
private struct Model {
    private(set) var capacity: Int
    let maximumLists: Int
    private var lists: [ListName: (favorites: [Favorite], revision: Int64)] = [:]
    /// All of them: their number is the revision of a list, and of a name that was deleted.
    private var changes: [ListName: [FavoritesChange]] = [:]
    private var answers: [RequestID: (toggle: Toggle, result: ToggleResult)] = [:]

    init(capacity: Int, maximumLists: Int) {
        self.capacity = capacity
        self.maximumLists = maximumLists
    }

    func favorites(_ list: ListName) -> FavoritesList {
        FavoritesList(
            favorites: lists[list]?.favorites ?? [],
            revision: revision(list),
            capacity: capacity
        )
    }

    private func revision(_ list: ListName) -> Int64 { Int64(changes[list]?.count ?? 0) }

    func ids(_ list: ListName) -> [Int64] { favorites(list).favorites.map(\.character.id) }

    func changes(of list: ListName, after revision: Int64, limit: Int) -> ChangeHistory {
        let changes = changes[list] ?? []
        guard revision <= changes.count else { return .ahead(current: Int64(changes.count)) }
        return .changes(Array(changes.dropFirst(Int(revision)).prefix(limit)))
    }

    mutating func delete(_ list: ListName) -> (revision: Int64, existed: Bool) {
        guard let (favorites, revision) = lists.removeValue(forKey: list) else { return (revision(list), false) }
        let change = FavoritesChange(revision: revision + 1, cleared: favorites, isDeletion: true)
        changes[list, default: []].append(change)
        return (revision + 1, true)
    }

    mutating func lowerOrRaise(capacity: Int) {
        self.capacity = capacity
        for (list, (favorites, revision)) in lists where favorites.count > capacity {
            let evicted = Array(favorites.dropLast(capacity))
            lists[list] = (favorites.suffix(capacity), revision + 1)
            changes[list, default: []].append(FavoritesChange(revision: revision + 1, evicted: evicted))
        }
    }

    mutating func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        now: Timestamp
    ) -> Result<ToggleOutcome, StoreError> {
        if let requestID = toggle.requestID, let answer = answers[requestID] {
            return answer.toggle == toggle ? .success(.done(answer.result)) : .failure(.requestIDReused)
        }
        var (favorites, revision) = lists[toggle.list] ?? ([], revision(toggle.list))
        let isFavorite = favorites.contains { $0.character.id == toggle.characterID }
        let isWanted = toggle.desired == .toggle ? !isFavorite : toggle.desired == .saved
        var evicted: [Favorite] = []
        var (saved, removed): (Favorite?, Favorite?)
        if isWanted != isFavorite {
            if isWanted {
                guard let character else { return .success(.characterNeeded) }
                guard lists[toggle.list] != nil || lists.count < maximumLists else {
                    return .failure(.listLimitReached(maximum: maximumLists))
                }
                saved = Favorite(character: character, savedAt: now)
                favorites.append(Favorite(character: character, savedAt: now))
                while favorites.count > capacity { evicted.append(favorites.removeFirst()) }
            } else {
                removed = favorites.first { $0.character.id == toggle.characterID }
                favorites.removeAll { $0.character.id == toggle.characterID }
            }
            revision += 1
            lists[toggle.list] = (favorites, revision)
            let change = FavoritesChange(revision: revision, saved: saved, removed: removed, evicted: evicted)
            changes[toggle.list, default: []].append(change)
        }
        let result = ToggleResult(isFavorite: isWanted, revision: revision, evicted: evicted)
        if let requestID = toggle.requestID { answers[requestID] = (toggle, result) }
        return .success(.done(result))
    }
}

extension Toggle {
    /// Few lists, few characters, and request ids that come again: everything meets everything.
    fileprivate static func random(step: Int, using random: inout SeededGenerator) throws -> Toggle {
        let desired: [Desired] = [.toggle, .toggle, .saved, .removed]
        let request = [nil, "step-\(step)", "often-\(Int.random(in: 1...40, using: &random))"]
        return Toggle(
            list: try FavoritesSQLiteTests.list(["a", "b", "c", "d"].randomElement(using: &random) ?? "a"),
            characterID: Int64.random(in: 1...6, using: &random),
            desired: desired.randomElement(using: &random) ?? .toggle,
            requestID: try FavoritesSQLiteTests.requestID(request.randomElement(using: &random) ?? nil)
        )
    }
}

/// SplitMix64: the same numbers for the same seed, on every machine.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
