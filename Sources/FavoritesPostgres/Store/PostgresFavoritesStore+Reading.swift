package import MarvelDomain

extension PostgresFavoritesStore {
    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await reader.run { [publisher] connection throws(DatabaseFault) in
            var parameters = Parameters()
            parameters.add(list.text)
            let rows = try connection.run(.snapshot, parameters)
            try publisher.requireHistory(rows, column: 0)
            var favorites: [Favorite] = []
            for row in 0..<rows.count where !rows.isNull(row, 3) {
                favorites.append(try Favorite.stored(rows.bytes(row, 3)))
            }
            let contents = FavoritesList(
                favorites: favorites,
                revision: try rows.integer(0, 2),
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
            var parameters = Parameters()
            parameters.add(list.text)
            parameters.add(revision)
            parameters.add(Int64(limit))
            let rows = try connection.run(.changes, parameters)
            try publisher.requireHistory(rows, column: 4)
            let current = try rows.integer(0, 0)
            guard revision <= current else { return .ahead(current: current) }
            let oldest = rows.isNull(0, 1) ? current : try rows.integer(0, 1) - 1
            guard revision >= oldest else { return .compacted(oldest: oldest) }
            var changes: [FavoritesChange] = []
            for row in 0..<rows.count where !rows.isNull(row, 2) {
                changes.append(try FavoritesChange(stored: rows.bytes(row, 3), revision: rows.integer(row, 2)))
            }
            return .changes(changes)
        }
    }

    package func lists(
        prefix: String,
        after: ListName?,
        limit: Int
    ) async throws(StoreError) -> [ListSummary] {
        try await reader.run { [publisher] connection throws(DatabaseFault) in
            var parameters = Parameters()
            parameters.add(after?.text ?? "")
            parameters.add(prefix)
            parameters.add(Int64(limit))
            let rows = try connection.run(.lists, parameters)
            if rows.count > 0 { try publisher.requireHistory(rows, column: 3) }
            var summaries: [ListSummary] = []
            for row in 0..<rows.count {
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
}
