internal import GRDB
internal import MarvelDomain

/// The writes of a group to its lists, after all its changes.
extension ToggleGroup {
    mutating func finishLists(in db: Database) throws {
        var addedBytes: Int64 = 0
        for (name, var list) in lists where list.isChanged {
            try ListsTable.finish(&list.state, of: name, after: list.before, keeping: limits.changesPerList, in: db)
            addedBytes += list.state.logBytes - list.before.logBytes
            lists[name] = list
        }
        logs.add(addedBytes)
        if lists.values.contains(where: { $0.isChanged && !$0.exists }) { try finishDeletions(in: db) }
        try cutLogs(after: addedBytes, in: db)
    }

    /// Numbers the names of the deleted lists in the order of their deletion, and drops the oldest of all names above
    /// the maximum. The base rises to the last revision of a dropped name, so that a new list of that name continues
    /// above it.
    private mutating func finishDeletions(in db: Database) throws {
        for (list, change) in changes where change.isDeletion && change.revision == lists[list]?.state.revision {
            try ListsTable.markDeleted(list, in: db)
        }
        for name in try ListsTable.oldestDeleted(above: limits.maximumDeletedNames, in: db) {
            try ListsTable.drop(name.list, in: db)
            logs.add(-name.state.logBytes)
            history.base = max(history.base, name.state.revision)
            history.droppedRevisions = history.droppedRevisions.addingSaturated(name.state.revision)
            lists[name.list] = nil
        }
        try history.write(in: db)
    }

    /// The minimum bytes that a log counts towards the work, even if fewer are deleted.
    private static let costOfLook: Int64 = 4 << 10

    /// Cuts twice the added bytes and 256 KiB from logs that are too long, if there are any.
    private mutating func cutLogs(after addedBytes: Int64, in db: Database) throws {
        try logs.beginIfDue(in: db)
        var rest = 2 * max(0, addedBytes) + 256 << 10
        while rest > 0, let (name, length) = logs.next {
            let excess = try list(name, in: db).state.logBytes - length
            let freed = try cut(min(excess, rest), from: name, in: db)
            rest -= max(freed, Self.costOfLook)
            // A log that was to lose more loses the rest in the next commit, if it can lose any more.
            if freed == 0 || freed >= excess { logs.advance() }
        }
    }

    /// Deletes the oldest changes of a list. The last one stays, unless the list was deleted.
    private mutating func cut(_ wanted: Int64, from name: ListName, in db: Database) throws -> Int64 {
        guard wanted > 0 else { return 0 }
        var list = try list(name, in: db)
        let last = list.exists ? list.state.revision - 1 : list.state.revision
        let freed = try ChangesTable.prune(bytes: wanted, through: last, of: name, in: db)
        list.state.logBytes = max(0, list.state.logBytes - freed)
        // A log without changes has no digest.
        if list.state.logBytes == 0 { list.state.digest = 0 }
        try ListsTable.setLog(list.state, of: name, in: db)
        logs.add(-freed)
        lists[name] = list
        return freed
    }
}
