package import MarvelDomain

/// Compares a watcher's events with the log of the list. They have the properties of etcd's watches:
///
/// - Ordered, Unique and Reliable: every change comes once, in order, or a snapshot replaces the missing ones.
/// - Atomic: a change has all effects of its call.
/// - Resumable: a watch that continues from its last event misses nothing.
/// - Bookmarkable: nothing at or before a progress arrives after it, and it is not beyond the watcher's events.
package struct WatchCheck {
    /// An event that a watcher sees.
    package enum Sight: Sendable, Hashable {
        case snapshot(FavoritesList)
        case change(FavoritesChange)
        /// That nothing is missing up to this revision.
        case progress(Int64)

        /// The revision up to which the watcher has everything.
        package var revision: Int64 {
            switch self {
            case .snapshot(let list): list.revision
            case .change(let change): change.revision
            case .progress(let revision): revision
            }
        }
    }

    /// The list before.
    package var base: FavoritesList
    /// All changes since, found to be right.
    package var log: [FavoritesChange]
    /// The events since the watcher was at the base's revision.
    package var sights: [Sight]

    package init(base: FavoritesList, log: [FavoritesChange], sights: [Sight]) {
        self.base = base
        self.log = log
        self.sights = sights
    }

    /// Everything that is wrong; empty if nothing is.
    package func violations() -> [Violation] {
        let changes = Dictionary(log.map { ($0.revision, $0) }) { first, _ in first }
        var violations: [Violation] = []
        var revision = base.revision
        for sight in sights {
            switch sight {
            case .change(let change):
                if change.revision != revision + 1 {
                    violations.append(.watchGap(after: revision, found: change.revision))
                }
                if changes[change.revision] != change { violations.append(.watchedOther(change.revision)) }
                revision = change.revision
            case .snapshot(let list):
                if list.revision < revision { violations.append(.watchGap(after: revision, found: list.revision)) }
                if ReplayedLog(log.filter { $0.revision <= list.revision }, after: base).list != list {
                    violations.append(.watchedOther(list.revision))
                }
                revision = list.revision
            case .progress(let told):
                if told != revision { violations.append(.watchGap(after: revision, found: told)) }
            }
        }
        let current = log.last?.revision ?? base.revision
        if revision != current { violations.append(.watchEnded(at: revision, of: current)) }
        return violations
    }
}
