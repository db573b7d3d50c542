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
            let page = try await reader.run { [last] connection throws(DatabaseFault) in
                try connection.lists(holding: Array(characters.keys), after: last, limit: Self.listsPerPage)
            }
            for list in page where try await update(list, to: characters) { changedCount += 1 }
            guard page.count == Self.listsPerPage, let next = page.last else { return changedCount }
            last = next.name.text
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
            guard let again else { return false }
            list = again
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

extension PostgresConnection {
    /// Reads the next lists that hold one of some characters.
    fileprivate func lists(
        holding ids: [Int64],
        after last: String,
        limit: Int
    ) throws(DatabaseFault) -> [HeldList] {
        var parameters = Parameters()
        parameters.add(ids)
        parameters.add(last)
        parameters.add(Int64(limit))
        return try heldLists(run(.listsHolding, parameters))
    }

    /// Reads a list; nil if there is nothing on it.
    fileprivate func heldList(_ name: ListName) throws(DatabaseFault) -> HeldList? {
        var parameters = Parameters()
        parameters.add(name.text)
        return try heldLists(run(.listHolding, parameters)).first
    }

    private func heldLists(_ rows: Rows) throws(DatabaseFault) -> [HeldList] {
        var lists: [HeldList] = []
        for row in 0..<rows.count {
            let name = try ListName(rows, row, 0)
            if lists.last?.name != name {
                let (revision, ids) = (try rows.integer(row, 1), try rows.integers(row, 2))
                lists.append(HeldList(name: name, revision: revision, ids: ids))
            }
            lists[lists.count - 1].favorites[try rows.integer(row, 3)] = try Favorite.stored(rows.bytes(row, 4))
        }
        return lists
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
