internal import MarvelDomain

/// A list's log, applied change by change to the list that it follows, by rules written down here once more: what the
/// server does must not be judged by the server's own code.
struct ReplayedLog {
    /// The list after its changes.
    private(set) var list: FavoritesList
    /// The ids on the list by revision, those before the first included.
    private(set) var idsAt: [Int64: [Int64]]
    private(set) var changes: [Int64: FavoritesChange] = [:]
    private(set) var violations: [Violation] = []

    init(_ log: [FavoritesChange], after base: FavoritesList) {
        list = base
        idsAt = [base.revision: base.ids]
        for change in log { apply(change) }
    }

    private mutating func apply(_ change: FavoritesChange) {
        let revision = change.revision
        if revision != list.revision + 1 { violations.append(.gap(after: list.revision, found: revision)) }
        switch (change.saved, change.removed) {
        case (let saved?, nil): save(saved, evicting: change.evicted, at: revision)
        case (nil, let removed?) where change.evicted.isEmpty: remove(removed, at: revision)
        case (nil, nil) where change.isDeletion && change.evicted.isEmpty:
            if change.cleared != list.favorites { violations.append(.impossible(revision)) }
            list.favorites = []
        default: violations.append(.notOneToggle(revision))
        }
        list.revision = revision
        idsAt[revision] = list.ids
        changes[revision] = change
    }

    private mutating func save(_ saved: Favorite, evicting evicted: [Favorite], at revision: Int64) {
        if list.ids.contains(saved.character.id) { violations.append(.impossible(revision)) }
        let surplus = max(0, list.favorites.count + 1 - list.capacity)
        if evicted != Array(list.favorites.prefix(surplus)) { violations.append(.evictedOthers(revision)) }
        list.favorites.removeAll { evicted.contains($0) }
        list.favorites.append(saved)
        if list.favorites.count > list.capacity {
            violations.append(.overfull(revision, count: list.favorites.count))
        }
    }

    private mutating func remove(_ removed: Favorite, at revision: Int64) {
        if !list.favorites.contains(removed) { violations.append(.impossible(revision)) }
        list.favorites.removeAll { $0 == removed }
    }
}

extension FavoritesList {
    var ids: [Int64] { favorites.map(\.character.id) }
}
