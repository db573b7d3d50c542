internal import GRDB
internal import MarvelDomain

/// The writes of a group to its lists, after all its changes.
extension ToggleGroup {
    mutating func finishLists() throws {
        let changed = lists.values.filter(\.isChanged)
        var addedBytes: Int64 = 0
        for list in changed { addedBytes += try list.finish(keeping: limits.changesPerList, in: tables) }
        logs.add(addedBytes)
        if changed.contains(where: { !$0.exists }) { try finishDeletions(in: tables.db) }
        try cutLogs(after: addedBytes, in: tables.db)
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

    /// Returns a list; nil if it is damaged. The log of a damaged list stays as it is.
    private mutating func wholeList(_ name: ListName) throws -> OpenList? {
        do {
            return try list(name)
        } catch is DamagedList {
            return nil
        }
    }

    /// The minimum bytes that a log counts towards the work, even if fewer are deleted.
    private static let costOfLook: Int64 = 4 << 10

    /// Cuts twice the added bytes and 256 KiB from logs that are too long, if there are any.
    private mutating func cutLogs(after addedBytes: Int64, in db: Database) throws {
        try logs.beginIfDue(in: db)
        var rest = 2 * max(0, addedBytes) + 256 << 10
        while rest > 0, let (name, length) = logs.next {
            guard let list = try wholeList(name) else {
                logs.advance()
                continue
            }
            let excess = list.state.logBytes - length
            let freed = try list.cutLog(min(excess, rest), in: db)
            logs.add(-freed)
            rest -= max(freed, Self.costOfLook)
            // A log that was to lose more loses the rest in the next commit, if it can lose any more.
            if freed == 0 || freed >= excess { logs.advance() }
        }
    }
}
