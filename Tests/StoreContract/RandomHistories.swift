package import MarvelDomain

/// One random call of a store: of few lists and few characters, with request ids that come again.
package struct RandomStep: CustomStringConvertible {
    private let step: Int
    private let list: ListName
    private let toggle: Toggle?
    private let hasCharacter: Bool
    /// The key of a deletion.
    private let key: RequestKey?
    /// The revision after which changes are asked for.
    private let after: Int64

    /// - Parameters:
    ///   - step: The number of the step, which makes request ids.
    ///   - random: Decides the rest.
    /// - Throws: Nothing that can happen.
    package init(_ step: Int, using random: inout SplitMix64) throws {
        self.step = step
        after = Int64.random(in: 0...60, using: &random)
        list = try ListName(valid: ["a", "b", "c", "d"].randomElement(using: &random) ?? "a")
        let kind = Int.random(in: 1...25, using: &random)
        hasCharacter = Int.random(in: 1...8, using: &random) > 1
        let desired: [Toggle.Desired] = [.toggle, .toggle, .saved, .removed]
        let requests = [nil, "step-\(step)", "often-\(Int.random(in: 1...40, using: &random))"]
        let candidate = Toggle(
            list: list,
            characterID: Int64.random(in: 1...6, using: &random),
            desired: desired.randomElement(using: &random) ?? .toggle,
            request: RequestKey(requests.randomElement(using: &random)?.flatMap(RequestID.init))
        )
        toggle = kind == 1 ? nil : candidate
        key = candidate.request
    }

    package var description: String {
        "step \(step), " + (toggle.map { "\($0)" } ?? "delete \(list)")
    }

    /// Makes the call of two stores, and compares what they answer and what they hold then.
    ///
    /// - Throws: `ContractViolation` if they differ.
    package func compare(_ store: any FavoritesStore, with model: MemoryFavoritesStore) async throws {
        let (actual, expected) = (await run(on: store), await run(on: model))
        try expect(actual, expected, "\(self)")
        let (contents, wanted) = (try await store.snapshot(of: list), try await model.snapshot(of: list))
        try expect(contents.list.withoutTimes, wanted.list.withoutTimes, "\(self): contents")
        try expect(contents.history, wanted.history, "\(self): history")
        let summaries = try await store.lists(prefix: "", after: nil, limit: 10)
        try expect(summaries, try await model.lists(prefix: "", after: nil, limit: 10), "\(self): all lists")
        let history = try await store.changes(of: list, after: after, limit: 5)
        let wantedHistory = try await model.changes(of: list, after: after, limit: 5)
        try expect(history.shape, wantedHistory.shape, "\(self): changes after \(after)")
    }

    /// - Returns: What the store answered, without times.
    private func run(on store: any FavoritesStore) async -> String {
        do {
            if let toggle {
                let snapshot = hasCharacter ? character(toggle.characterID) : nil
                switch try await store.toggle(toggle, character: snapshot) {
                case .characterNeeded: return "character needed"
                case .done(let answer):
                    let evicted = answer.evicted.map(\.character.id)
                    return "\(answer.isFavorite) \(answer.revision) \(evicted) \(answer.place?.text ?? "none")"
                }
            }
            return "\(try await store.delete(list, request: key))"
        } catch {
            return "\(error)"
        }
    }
}

extension FavoritesList {
    fileprivate var withoutTimes: FavoritesList {
        var copy = self
        for index in copy.favorites.indices { copy.favorites[index].savedAt = Timestamp(seconds: 0) }
        return copy
    }
}

extension ChangeHistory {
    /// The contents without times.
    fileprivate var shape: String {
        switch self {
        case .ahead(let current): "ahead of \(current)"
        case .compacted(let oldest): "compacted up to \(oldest)"
        case .changes(let changes): changes.map(\.shape).joined(separator: "; ")
        }
    }
}

extension FavoritesChange {
    fileprivate var shape: String {
        func names(_ favorites: [Favorite]) -> [String] { favorites.map(\.character.name) }
        let single = [saved, removed].map { $0?.character.name ?? "-" }
        return "\(revision) \(single) \(names(evicted)) \(names(cleared)) \(isDeletion)"
    }
}
