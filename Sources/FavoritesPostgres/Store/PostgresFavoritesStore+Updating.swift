package import MarvelDomain

/// The update of edited characters on the lists that hold them.
extension PostgresFavoritesStore {
    /// The maximum number of lists that are read at once.
    private static let listsPerPage = 200
    /// The maximum number of attempts to update a list that others change meanwhile.
    private static let maximumAttempts = 10

    package func update(_ characters: [MarvelCharacter]) async throws(StoreError) -> Int {
        let characters = Dictionary(characters.map { ($0.id, $0) }) { first, _ in first }
        guard !characters.isEmpty else { return 0 }
        var changedCount = 0
        var last = ""
        while true {
            let page: HeldPage = try await reader.run { [last] connection throws(DatabaseFault) in
                try connection.lists(holding: Array(characters.keys), after: last, limit: Self.listsPerPage)
            }
            for fault in page.damage { status.report("an update", fault) }
            for list in page.lists where try await update(list, to: characters) { changedCount += 1 }
            guard let next = page.last else { return changedCount }
            last = next
        }
    }

    /// Updates one list, as it was read. If it has changed since, it is read again.
    ///
    /// - Returns: Whether it was changed.
    private func update(_ list: HeldList, to characters: [Int64: MarvelCharacter]) async throws(StoreError) -> Bool {
        var list = list
        for _ in 0..<Self.maximumAttempts {
            guard let edit = try list.update(to: characters) else { return false }
            let isDone = try await reader.run(.write) { [self, list] connection throws(DatabaseFault) in
                let history = publisher.history
                guard let change = try connection.update(list, edit, history, changesPerList) else { return false }
                publisher.publish([change], in: history)
                return true
            }
            guard !isDone else { return true }
            let again = try await reader.run { [list] connection throws(DatabaseFault) in
                try connection.heldList(list.name)
            }
            for fault in again.damage { status.report("an update", fault) }
            guard let next = again.lists.first else { return false }
            list = next
        }
        throw .unavailable("a list changes too often")
    }
}

/// A list with all its favorites, as it was read.
struct HeldList: Sendable {
    var name: ListName
    var revision: Int64
    var ids: [Int64]
    var favorites: [Int64: Favorite] = [:]

    /// Reads the rows of one list.
    ///
    /// - Throws: `.damaged` if they are not those that were written: an update would make them look whole.
    fileprivate init(_ name: ListName, _ rows: Rows, _ range: Range<Int>) throws(DatabaseFault) {
        guard let first = range.first, try rows.boolean(first, 5) else { throw .damagedRow(of: name) }
        self.name = name
        revision = try rows.integer(first, 1)
        ids = try rows.integers(first, 2)
        var held: [Int64] = []
        for row in range {
            let id = try rows.integer(row, 3)
            guard try rows.boolean(row, 6), let favorite = try? Favorite.stored(rows.bytes(row, 4)) else {
                throw .damagedFavorite(id, on: name)
            }
            held.append(id)
            favorites[id] = favorite
        }
        guard held == ids else { throw .damagedRow(of: name) }
    }

    /// Decides which snapshots are replaced; nil if all are up to date.
    fileprivate func update(to characters: [Int64: MarvelCharacter]) throws(StoreError) -> ListEdit? {
        do {
            return try ListRules.update(ids, to: characters) { id in
                guard let favorite = favorites[id] else { throw StoreError.notWritable("a favorite is missing") }
                return favorite
            }
        } catch {
            throw error as? StoreError ?? .notWritable("a list cannot be read")
        }
    }
}

/// Lists that were read, in the order of their names.
private struct HeldPage: Sendable {
    var lists: [HeldList] = []
    /// The lists that differ from what was written. An update leaves them as they are.
    var damage: [DatabaseFault] = []
    /// The name of the last list, damaged or not; nil if there is none.
    var last: String?
}

extension PostgresConnection {
    /// Reads the next lists that hold one of some characters.
    fileprivate func lists(
        holding ids: [Int64],
        after last: String,
        limit: Int
    ) throws(DatabaseFault) -> HeldPage {
        var parameters = Parameters()
        parameters.add(ids)
        parameters.add(last)
        parameters.add(Int64(limit))
        return try heldLists(run(.listsHolding, parameters))
    }

    /// Reads a list; none if there is nothing on it.
    fileprivate func heldList(_ name: ListName) throws(DatabaseFault) -> HeldPage {
        var parameters = Parameters()
        parameters.add(name.text)
        return try heldLists(run(.listHolding, parameters))
    }

    private func heldLists(_ rows: Rows) throws(DatabaseFault) -> HeldPage {
        var page = HeldPage()
        var start = 0
        for end in 0..<rows.count {
            let text = try rows.text(end, 0)
            if end + 1 < rows.count, try rows.text(end + 1, 0) == text { continue }
            let range = start..<end + 1
            (start, page.last) = (end + 1, text)
            // A damaged name may be none: nobody can ask for it.
            guard !text.isEmpty, let name = ListName(text) else { continue }
            do throws(DatabaseFault) {
                page.lists.append(try HeldList(name, rows, range))
            } catch {
                guard case .damaged = error.kind else { throw error }
                page.damage.append(error)
            }
        }
        return page
    }

    /// Writes an edit of a list.
    ///
    /// - Returns: The change; nil if the list has changed since it was read.
    fileprivate func update(
        _ list: HeldList,
        _ edit: ListEdit,
        _ history: HistoryID,
        _ keptChanges: Int64
    ) throws(DatabaseFault) -> LoggedChange? {
        var parameters = Parameters()
        parameters.add(history.value)
        parameters.add(keptChanges)
        parameters.add(list.name.text)
        parameters.add(list.revision)
        parameters.add(ChangeJSON.text(edit) { FavoriteJSON.utf8($0) })
        parameters.add(edit.updated.map(\.character.id))
        parameters.add(edit.updated.map { FavoriteJSON.utf8($0) })
        let rows = try run(.updateList, parameters)
        guard rows.count > 0 else { return nil }
        let news = ListChange(list.name, edit.change(at: try rows.integer(0, 0)))
        return LoggedChange(news: news, digest: try rows.integer(0, 1))
    }
}
