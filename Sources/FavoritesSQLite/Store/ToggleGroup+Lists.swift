internal import GRDB
internal import MarvelDomain

/// The writes of a group to its lists, after all its changes.
extension ToggleGroup {
    mutating func finishLists(in db: Database) throws {
        var addedBytes: Int64 = 0
        for (list, var state) in lists {
            let before = initialStates[list]?.state ?? state
            try ListsTable.finish(&state, of: list, after: before, keeping: limits.changesPerList, in: db)
            addedBytes += state.logBytes - before.logBytes
            lists[list] = state
        }
        logs.add(addedBytes)
        if !deleted.isEmpty { try finishDeletions(in: db) }
        try cutLogs(after: addedBytes, in: db)
    }

    /// Numbers the names of the deleted lists in the order of their deletion, and drops the oldest of all names above
    /// the maximum. The base rises to the last revision of a dropped name, so that a new list of that name continues
    /// above it.
    private mutating func finishDeletions(in db: Database) throws {
        for (list, change) in changes where change.isDeletion && change.revision == lists[list]?.revision {
            try ListsTable.markDeleted(list, in: db)
        }
        for name in try ListsTable.oldestDeleted(above: limits.maximumDeletedNames, in: db) {
            try ListsTable.drop(name.list, in: db)
            logs.add(-name.state.logBytes)
            history.base = max(history.base, name.state.revision)
            history.droppedRevisions = history.droppedRevisions.addingSaturated(name.state.revision)
            lists[name.list] = nil
            deleted.remove(name.list)
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
            let initial = try initialState(of: name, in: db)
            var state = lists[name] ?? initial.state
            let excess = state.logBytes - length
            let freed = try cut(min(excess, rest), from: name, &state, exists: exists(name, initial), in: db)
            rest -= max(freed, Self.costOfLook)
            // A log that was to lose more loses the rest in the next commit, if it can lose any more.
            if freed == 0 || freed >= excess { logs.advance() }
        }
    }

    /// Deletes the oldest changes of a list. The last one stays, unless the list was deleted.
    private mutating func cut(
        _ wanted: Int64,
        from name: ListName,
        _ state: inout ListState,
        exists: Bool,
        in db: Database
    ) throws -> Int64 {
        guard wanted > 0 else { return 0 }
        let last = exists ? state.revision - 1 : state.revision
        let freed = try ChangesTable.prune(bytes: wanted, through: last, of: name, in: db)
        state.logBytes = max(0, state.logBytes - freed)
        // A log without changes has no digest.
        if state.logBytes == 0 { state.digest = 0 }
        try ListsTable.setLog(state, of: name, in: db)
        logs.add(-freed)
        if exists || lists[name] != nil { lists[name] = state }
        return freed
    }
}
