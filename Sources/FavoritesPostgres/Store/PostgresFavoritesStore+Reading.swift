package import MarvelDomain

extension PostgresFavoritesStore {
    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await reader.run { [publisher] connection throws(DatabaseFault) in
            let shown = publisher.revision(of: list)
            var parameters = Parameters()
            parameters.add(list.text)
            let rows = try connection.run(.snapshot, parameters)
            try publisher.requireHistory(rows, column: 0)
            let favorites = try Favorite.verified(rows, of: list)
            let revision = try rows.integer(0, 2)
            try publisher.require(revision, atLeast: shown, of: list)
            let contents = FavoritesList(
                favorites: favorites,
                revision: revision,
                capacity: Int(try rows.integer(0, 1))
            )
            return ListSnapshot(contents, in: HistoryID(try rows.integer(0, 0)))
        }
    }

    package func changes(
        of list: ListName,
        after revision: Int64,
        limit: Int
    ) async throws(StoreError) -> ChangeHistory {
        try await reader.run { [publisher] connection throws(DatabaseFault) in
            let shown = publisher.revision(of: list)
            var parameters = Parameters()
            parameters.add(list.text)
            parameters.add(revision)
            parameters.add(Int64(limit))
            let rows = try connection.run(.changes, parameters)
            try publisher.requireHistory(rows, column: 4)
            let current = try rows.integer(0, 0)
            try publisher.require(current, atLeast: shown, of: list)
            guard revision <= current else { return .ahead(current: current) }
            let oldest = rows.isNull(0, 1) ? current : try rows.integer(0, 1) - 1
            guard revision >= oldest else { return .compacted(oldest: oldest) }
            var changes: [FavoritesChange] = []
            // A change that is damaged, missing, or cannot be told is a gap: those before it count as no longer kept.
            var (last, gap): (Int64, Int64?) = (revision, nil)
            var readCount = 0
            for row in 0..<rows.count where !rows.isNull(row, 2) {
                let next = try rows.integer(row, 2)
                readCount += 1
                if next != last + 1 { gap = next - 1 }
                last = next
                let text = try rows.bytes(row, 3)
                if try rows.boolean(row, 5), let change = try? FavoritesChange(stored: text, revision: next) {
                    changes.append(change)
                } else {
                    gap = next
                }
            }
            if last < current, readCount < limit { gap = current }
            if let gap { return .compacted(oldest: gap) }
            return .changes(changes)
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
            // A page is filled up, because a shorter one is the last one.
            while summaries.count < limit {
                var parameters = Parameters()
                parameters.add(last)
                parameters.add(prefix)
                parameters.add(Int64(limit - summaries.count))
                let rows = try connection.run(.lists, parameters)
                guard rows.count > 0 else { break }
                try publisher.requireHistory(rows, column: 3)
                try summaries += ListSummary.verified(rows) { status.report("a read", $0) }
                last = try rows.text(rows.count - 1, 0)
            }
            return summaries
        }
    }
}

extension ListSummary {
    /// Reads the lists of rows, without those that differ from what was written.
    fileprivate static func verified(
        _ rows: Rows,
        _ damaged: (DatabaseFault) -> Void
    ) throws(DatabaseFault) -> [ListSummary] {
        var summaries: [ListSummary] = []
        for row in 0..<rows.count {
            guard try rows.boolean(row, 4) else {
                // A damaged name may be none: nobody can ask for it.
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

extension Favorite {
    /// Reads the favorites of `Statement.snapshot`.
    ///
    /// - Throws: `.damaged` if they are not those that were written, in number, in order, or in what they hold.
    fileprivate static func verified(_ rows: Rows, of list: ListName) throws(DatabaseFault) -> [Favorite] {
        guard try rows.boolean(0, 6) else { throw .damagedRow(of: list) }
        var (favorites, ids): ([Favorite], [Int64]) = ([], [])
        for row in 0..<rows.count where !rows.isNull(row, 4) {
            let id = try rows.integer(row, 4)
            guard try rows.boolean(row, 5) else { throw .damagedFavorite(id, on: list) }
            ids.append(id)
            favorites.append(try stored(rows.bytes(row, 3)))
        }
        guard ids == (try rows.integers(0, 7)) else { throw .damagedRow(of: list) }
        return favorites
    }
}

extension FeedPublisher {
    /// Checks that what was read is of the history that was published. Otherwise the reader connects again, and thereby
    /// follows the database to its history before the caller gets anything of it.
    ///
    /// - Throws: `.otherHistory`.
    fileprivate func requireHistory(_ rows: Rows, column: Int) throws(DatabaseFault) {
        guard rows.count > 0 else { throw .malformed("marvel.meta is empty") }
        guard HistoryID(try rows.integer(0, column)) == history else { throw .otherHistory }
    }

    /// Checks that a list which was read is not older than what was published before it was read.
    ///
    /// - Throws: `.behind`.
    fileprivate func require(_ revision: Int64, atLeast shown: Int64, of list: ListName) throws(DatabaseFault) {
        guard revision < shown else { return }
        let message = "the list \(list) is at revision \(revision), and was shown at \(shown)"
        throw DatabaseFault(kind: .behind, message: message)
    }
}
