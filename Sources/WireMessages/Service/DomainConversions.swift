package import MarvelDomain

// Conversions between the domain's values and those of the wire, which this build may not know.

extension MatchValue {
    package init(_ match: Match) {
        switch match {
        case .prefix: self = .prefix
        case .wordPrefix: self = .wordPrefix
        case .substring: self = .substring
        case .fuzzy: self = .fuzzy
        }
    }

    /// Nil for a value that this build does not know.
    package var match: Match? {
        switch self {
        case .prefix: .prefix
        case .wordPrefix: .wordPrefix
        case .substring: .substring
        case .fuzzy: .fuzzy
        default: nil
        }
    }
}

extension DesiredValue {
    package init(_ desired: Toggle.Desired) {
        switch desired {
        case .toggle: self = .toggle
        case .saved: self = .saved
        case .removed: self = .removed
        }
    }

    /// Nil for a value that this build does not know.
    package var desired: Toggle.Desired? {
        switch self {
        case .toggle: .toggle
        case .saved: .saved
        case .removed: .removed
        default: nil
        }
    }
}

extension WatchFavoritesResponse.Event {
    package static func snapshot(_ list: FavoritesList, reset: SnapshotReset? = nil) -> Self {
        .snapshot(
            WatchFavoritesResponse.Snapshot(
                favorites: list.favorites,
                revision: list.revision,
                capacity: Int32(clamping: list.capacity),
                reset: reset.map { WatchFavoritesResponse.Reset($0) } ?? .none
            )
        )
    }

    package static func progress(revision: Int64) -> Self {
        .progress(WatchFavoritesResponse.Progress(revision: revision))
    }
}

extension WatchFavoritesResponse.Snapshot {
    package var list: FavoritesList {
        FavoritesList(favorites: favorites, revision: revision, capacity: Int(capacity))
    }
}

extension WatchFavoritesResponse.Reset {
    package init(_ reset: SnapshotReset) {
        switch reset {
        case .historyChanged: self = .historyChanged
        case .compacted: self = .compacted
        }
    }

    /// An unknown reason counts as the worst known one: the watcher's data must be discarded.
    package var reason: SnapshotReset? {
        switch self {
        case .none: nil
        case .compacted: .compacted
        default: .historyChanged
        }
    }
}
