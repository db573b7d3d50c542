internal import MarvelDomain
internal import SQLiteFiles

/// The writes of a group to its lists, after all its changes.
extension ToggleGroup {
    mutating func finishLists() throws {
        let changed = lists.values.filter(\.isChanged)
        var addedBytes: Int64 = 0
        for list in changed { addedBytes += try list.finish(keeping: limits.changesPerList, in: tables) }
        logs.add(addedBytes)
        if changed.contains(where: { !$0.exists }) { try finishDeletions(in: tables.db) }
        try cutLogs()
    }

    /// Numbers the names of the deleted lists in the order of their deletion, and drops the oldest of all names above
    /// the maximum. The base rises to the last revision of a dropped name, so that a new list of that name continues
    /// above it.
    private mutating func finishDeletions(in db: Database) throws {
        for news in changes where news.change?.isDeletion == true && news.revision == lists[news.list]?.state.revision {
            try ListsTable.markDeleted(news.list, in: db)
        }
        let surplus = max(0, deletedCount - limits.maximumDeletedNames)
        for name in try ListsTable.oldestDeleted(surplus, in: db) {
            try ListsTable.drop(name.list, in: db)
            deletedCount -= 1
            logs.add(-name.state.logBytes)
            history.base = max(history.base, name.state.revision)
            history.droppedRevisions = history.droppedRevisions.addingSaturated(name.state.revision)
            lists[name.list] = nil
        }
        try history.write(in: db)
    }

    /// Deletes the oldest changes of the store while they have too many bytes. The logs of damaged lists stay as they are.
    private mutating func cutLogs() throws {
        var rest = LogBudget.changesPerCommit + 2 * changes.count
        while logs.excess > 0, rest > 0 {
            let oldest = try ChangesTable.oldest(after: logs.position, freeing: logs.excess, limit: rest, in: tables.db)
            // Row ids begin anew in a table that was emptied.
            logs.position = oldest.position ?? 0
            guard oldest.count > 0 else { return }
            rest -= oldest.count
            for (name, revision) in oldest.revisions { try cutLog(of: name, through: revision) }
        }
    }

    private mutating func cutLog(of name: ListName, through revision: Int64) throws {
        do {
            let list = try list(name)
            guard list.hadRow || list.isChanged, revision <= list.state.revision else { return }
            logs.add(-(try list.cutLog(through: revision, in: tables)))
        } catch is DamagedList {
            // The audit or a reader reports it.
        }
    }
}
