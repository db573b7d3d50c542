internal import FavoritesEngine
package import MarvelDomain

extension PostgresFavoritesStore {
    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await reader.run { [publisher] connection throws(DatabaseFault) in
            let shown = publisher.revision(of: list)
            let stored = try LoadedLists(connection.run(.readLists, .names([list])), of: [list])
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

/// The rows of `Statement.readLists`.
struct LoadedLists {
    let history: HistoryID
    /// The revision with which lists of unknown names begin.
    let base: Int64
    /// The number of favorites that a list may hold after a save.
    let capacity: Int
    /// Each list, or the fault that its rows differ from what was written: in number, in order, or in what they hold.
    let lists: [Result<KnownList, DatabaseFault>]

    /// - Parameters:
    ///   - rows: The rows.
    ///   - names: The names that were asked for.
    /// - Throws: `.malformed` if they are not the rows of those names.
    init(_ rows: Rows, of names: [ListName]) throws(DatabaseFault) {
        guard rows.count > 0 else { throw .malformed("marvel.meta is empty") }
        history = HistoryID(try rows.integer(0, 1))
        base = try rows.integer(0, 2)
        capacity = Int(try rows.integer(0, 3))
        var lists: [Result<KnownList, DatabaseFault>] = []
        var row = 0
        for (place, name) in names.enumerated() {
            let start = row
            while row < rows.count {
                guard try rows.integer(row, 0) == place + 1 else { break }
                row += 1
            }
            guard row > start else { throw .malformed("a list has no row") }
            do throws(DatabaseFault) {
                lists.append(.success(try KnownList(rows, start..<row, of: name, base: base)))
            } catch {
                // A row that cannot be read is that of one list.
                lists.append(.failure(.damaged(name, error.message)))
            }
        }
        self.lists = lists
    }
}

extension KnownList {
    fileprivate init(_ rows: Rows, _ range: Range<Int>, of name: ListName, base: Int64) throws(DatabaseFault) {
        let row = range.lowerBound
        let isUnknown = rows.isNull(row, 4)
        if !isUnknown {
            guard try rows.boolean(row, 9) else { throw .damagedRow(of: name) }
        }
        var favorites: [Favorite] = []
        var found: [Int64] = []
        for row in range where !rows.isNull(row, 10) {
            let id = try rows.integer(row, 10)
            guard try rows.boolean(row, 12) else { throw .damagedFavorite(id, on: name) }
            favorites.append(try Favorite.stored(rows.bytes(row, 11)))
            found.append(id)
        }
        let ids = isUnknown ? [] : try rows.integers(row, 6)
        guard found == ids else { throw .damagedRow(of: name) }
        self.init(
            revision: isUnknown ? base : try rows.integer(row, 4),
            digest: isUnknown ? 0 : try rows.integer(row, 5),
            ids: ids,
            favorites: favorites,
            exists: isUnknown ? false : try rows.boolean(row, 8),
            owner: rows.isNull(row, 7) ? nil : try rows.text(row, 7),
            isUnknown: isUnknown
        )
    }
}

extension Parameters {
    static func names(_ names: [ListName]) -> Parameters {
        var parameters = Parameters()
        parameters.add(names.map(\.text))
        return parameters
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
    func require(_ revision: Int64, atLeast shown: Int64, of list: ListName) throws(DatabaseFault) {
        guard revision < shown else { return }
        let message = "the list \(list) is at revision \(revision), but clients have seen \(shown)"
        throw DatabaseFault(kind: .behind, message: message)
    }
}

extension PostgresConnection {
    /// The maximum number of changes that are read to make up for missing ones. Above it, lists are read instead.
    static let maximumChanges = 5_000

    /// Reads the changes of lists after the last known revision of each.
    ///
    /// - Returns: The changes; nil if there are too many.
    /// - Throws: `.otherHistory` if the revisions are of another history than the database's.
    func changes(
        after revisions: [ListName: Int64],
        in history: HistoryID
    ) throws(DatabaseFault) -> [LoggedChange]? {
        let parameters = Parameters.changes(of: revisions.map(\.key), after: revisions.map(\.value))
        let rows = try run(.changesOfLists, parameters)
        guard rows.count < Self.maximumChanges else { return nil }
        return try LoggedChange.all(in: rows, of: history)
    }
}

extension Parameters {
    /// Those of `Statement.changesOfLists`.
    static func changes(of lists: [ListName], after revisions: [Int64]) -> Parameters {
        var parameters = Parameters.names(lists)
        parameters.add(revisions)
        parameters.add(Int64(PostgresConnection.maximumChanges))
        return parameters
    }
}

extension LoggedChange {
    /// Reads the rows of `Statement.changesOfLists`.
    ///
    /// - Throws: `.otherHistory` if they are of another history than that.
    static func all(in rows: Rows, of history: HistoryID) throws(DatabaseFault) -> [LoggedChange] {
        var changes: [LoggedChange] = []
        for row in 0..<rows.count {
            guard HistoryID(try rows.integer(row, 4)) == history else { throw .otherHistory }
            changes.append(try LoggedChange(rows, row, from: 0))
        }
        return changes
    }

    /// Reads a change from the columns list, revision, digest and change. Of a text that is damaged only the revision is
    /// known.
    init(_ rows: Rows, _ row: Int, from column: Int) throws(DatabaseFault) {
        let list = try ListName(rows, row, column)
        let (revision, digest) = (try rows.integer(row, column + 1), try rows.integer(row, column + 2))
        text = try rows.bytes(row, column + 3)
        let change = try? FavoritesChange(stored: text, revision: revision)
        news =
            change.map { ListChange(list, $0, digest: digest) } ?? ListChange(list, revision: revision, digest: digest)
    }
}

extension FavoritesChange {
    init(stored text: [UInt8], revision: Int64) throws(DatabaseFault) {
        var hasReplaced = false
        do {
            self = try ChangeJSON.change(utf8: text, revision: revision) { _ in hasReplaced = true }
        } catch {
            throw .malformed("a change cannot be read: \(error)")
        }
        // A server of an earlier version makes such a change when a character is edited. Who follows reads the list again.
        guard !hasReplaced else { throw .malformed("a change replaced what was saved") }
    }
}

extension ListName {
    init(_ rows: Rows, _ row: Int, _ column: Int) throws(DatabaseFault) {
        let text = try rows.text(row, column)
        guard !text.isEmpty, let name = ListName(text) else { throw .malformed("a list has an invalid name") }
        self = name
    }
}

extension Favorite {
    /// Reads favorites from the bytes of a JSON array.
    static func array(_ text: [UInt8]) throws(DatabaseFault) -> [Favorite] {
        do {
            return try FavoriteJSON.favorites(String(decoding: text, as: UTF8.self))
        } catch {
            throw .malformed("a snapshot cannot be read: \(error)")
        }
    }

    /// Reads a favorite from the bytes of its JSON.
    static func stored(_ text: [UInt8]) throws(DatabaseFault) -> Favorite {
        do {
            return try FavoriteJSON.favorite(utf8: text)
        } catch {
            throw .malformed("a snapshot cannot be read: \(error)")
        }
    }
}
