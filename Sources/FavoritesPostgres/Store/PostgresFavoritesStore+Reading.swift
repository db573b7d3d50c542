internal import FavoritesEngine
package import MarvelDomain

extension PostgresFavoritesStore {
    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await reader.run { [publisher] connection throws(DatabaseFault) in
            let shown = publisher.revision(of: list)
            let stored = try LoadedLists(connection.run(.readLists, [list]), of: [list])
            guard stored.history == publisher.history else { throw .otherHistory }
            let known: KnownList
            switch stored.lists[0] {
            case .success(let list): known = list
            case .failure(let damage):
                // The next change of it reads it too.
                publisher.forget(list)
                throw damage
            }
            try publisher.require(known.revision, atLeast: shown, of: list)
            let contents = FavoritesList(
                favorites: known.favorites ?? [],
                revision: known.revision,
                capacity: stored.capacity
            )
            return ListSnapshot(contents, in: stored.history)
        }
    }

    package func changes(
        of list: ListName,
        after revision: Int64,
        limit: Int
    ) async throws(StoreError) -> ChangeHistory {
        try await reader.run { [publisher] connection throws(DatabaseFault) in
            let shown = publisher.revision(of: list)
            let rows = try connection.run(.changes, list, revision, limit)
            try publisher.requireHistory(rows, column: 3)
            let current = try rows.integer(0, 0)
            if current < shown, try !connection.damagedLists(among: [list]).isEmpty { throw .damagedRow(of: list) }
            try publisher.require(current, atLeast: shown, of: list)
            var reading = LogReading(after: revision)
            for row in 0..<rows.count where !rows.isNull(row, 1) {
                let (revision, isWhole) = (try rows.integer(row, 1), try rows.boolean(row, 4))
                reading.add(try rows.bytes(row, 2), at: revision, isWhole: isWhole)
            }
            return reading.history(at: current, limit: limit)
        }
    }

    package func lists(
        prefix: String,
        after: ListName?,
        limit: Int
    ) async throws(StoreError) -> [ListSummary] {
        try await reader.run { [publisher, status] connection throws(DatabaseFault) in
            var summaries: [ListSummary] = []
            var last = after?.text ?? ""
            // A page is filled up, because a short one would be the last one.
            while summaries.count < limit {
                let rows = try connection.run(.lists, last, prefix, limit - summaries.count)
                guard rows.count > 0 else { break }
                try publisher.requireHistory(rows, column: 3)
                try summaries += ListSummary.verified(rows) { status.report("a read", $0) }
                last = try rows.text(rows.count - 1, 0)
            }
            return summaries
        }
    }
}

/// The characters on lists, read on the connection of the work that may wait.
extension PostgresFavoritesStore: FavoriteCharacters {
    package func favorites(among ids: Set<Int64>) async throws(StoreError) -> Set<Int64> {
        try await background.run { connection throws(DatabaseFault) in
            try connection.run(.favoritesAmong, Array(ids)).integers(inColumn: 0)
        }
    }

    package func favoriteCharacters(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        try await background.run { connection throws(DatabaseFault) in
            let rows = try connection.run(.favoriteCharacters, Array(excluded), limit)
            return try (0..<rows.count).map { row throws(DatabaseFault) in
                try Favorite.stored(rows.bytes(row, 0)).character
            }
        }
    }

    /// Reads the table `marvel.pictures`, which the version before wrote. Each server pins the pictures in its
    /// own cache. A later version stops reading it, and the version after that drops it.
    package func formerPictureIDs() async throws(StoreError) -> Set<Int64> {
        try await background.run { connection throws(DatabaseFault) in
            try connection.run(.formerPictureIDs).integers(inColumn: 0)
        }
    }

    package func formerPictures(of ids: [Int64]) async throws(StoreError) -> [KeptPicture] {
        try await background.run { connection throws(DatabaseFault) in
            let rows = try connection.run(.formerPictures, ids)
            let pictures = try (0..<rows.count).map { row throws(DatabaseFault) in try KeptPicture(rows, row) }
            return pictures.compactMap(\.self)
        }
    }
}

extension ListSummary {
    /// Reads lists, without damaged ones.
    fileprivate static func verified(
        _ rows: Rows,
        _ damaged: (DatabaseFault) -> Void
    ) throws(DatabaseFault) -> [ListSummary] {
        var summaries: [ListSummary] = []
        for row in 0..<rows.count {
            guard try rows.boolean(row, 4) else {
                // Nobody can ask for a damaged name.
                if let name = ListName(try rows.text(row, 0)) { damaged(.damagedRow(of: name)) }
                continue
            }
            summaries.append(
                ListSummary(
                    name: try ListName(rows, row, 0),
                    revision: try rows.integer(row, 1),
                    ids: try rows.integers(row, 2)
                )
            )
        }
        return summaries
    }
}

extension FeedPublisher {
    /// Throws `.otherHistory` unless rows are of the published history. Then the reader connects again, and continues in it.
    fileprivate func requireHistory(_ rows: Rows, column: Int) throws(DatabaseFault) {
        guard rows.count > 0 else { throw .malformed("marvel.meta is empty") }
        guard HistoryID(try rows.integer(0, column)) == history else { throw .otherHistory }
    }

    /// Throws `.behind` if a list is older than what was published before it was read.
    func require(_ revision: Int64, atLeast shown: Int64, of list: ListName) throws(DatabaseFault) {
        guard revision < shown else { return }
        let message = "the list \(list) is at revision \(revision), but clients have seen \(shown)"
        throw DatabaseFault(kind: .behind, message: message)
    }
}
