internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

/// Writes the rows of a group of changes, in a transaction that the caller begins and commits.
struct GroupWriter {
    /// The maximum of names that a commit drops, besides those that it deletes: a lowered limit takes several commits.
    private static let namesPerCommit = 64

    private let tables: StoreTables
    private let limits: StoreLimits
    private let now: Timestamp
    private let instant: ContinuousClock.Instant
    private let damagedLists: Set<ListName>
    /// The state after the transaction.
    private(set) var state: WriterState
    private(set) var last: (list: ListName, state: ListState)?
    private var dropped: [ListName] = []

    /// `state` is the store's before the transaction. `now` and `instant` are the same time, on the wall clock and the
    /// monotonic clock.
    init(
        of state: StoreState,
        in tables: StoreTables,
        _ limits: StoreLimits,
        at now: Timestamp,
        _ instant: ContinuousClock.Instant
    ) {
        self.tables = tables
        self.limits = limits
        self.now = now
        self.instant = instant
        damagedLists = state.damagedLists
        self.state = state.writer
    }

    /// Writes all rows, except of `refused` lists. `unreadable` makes the error for a caller whose stored answer is
    /// damaged. The outcome is valid once the transaction is committed.
    ///
    /// - Throws: `DamagedList` if a list cannot be changed, or errors of SQLite. The transaction must be rolled back.
    mutating func run(
        _ group: ChangeGroup,
        refusing refused: [ListName: StoreError],
        unreadable: (any Error) -> StoreError
    ) throws -> GroupOutcome {
        var repeated: [Int: Result<AnsweredRequest, StoreError>] = [:]
        var skipped: Set<Int> = []
        for (place, request) in group.requests.enumerated() {
            guard let key = request.key else { continue }
            do {
                guard let answer = try tables.answers.find(key) else { continue }
                repeated[place] = .success(answer)
            } catch {
                // An error of SQLite is not that of one record.
                guard !(error is DatabaseError) else { throw error }
                repeated[place] = .failure(unreadable(error))
            }
            if let list = request.list { skipped.insert(list) }
        }
        var writers: [ListWriter?] = []
        let outcomes = try group.lists.enumerated().map { place, list -> GroupOutcome.ListResult in
            let isWritten = !skipped.contains(place) && refused[list.name] == nil
            writers.append(isWritten ? try write(list) : nil)
            if let error = refused[list.name] { return .refused(error) }
            return writers[place].map { .applied($0.changes) } ?? .skipped
        }
        try finishLists(group, writers)
        try keepAnswers(of: group, writers, besides: repeated)
        return GroupOutcome(lists: outcomes, repeated: repeated, base: state.history.base, dropped: dropped)
    }

    private mutating func write(_ list: ChangeGroup.List) throws -> ListWriter {
        guard !damagedLists.contains(list.name) else { throw DamagedList(list: list.name, problem: .known) }
        var writer = try ListWriter(list, in: tables)
        for edit in list.edits { try writer.write(edit, in: tables) }
        state.logs.add(try writer.finish(keeping: limits.retention.changesPerList, in: tables))
        // A list of a new name begins with the base, which counts too.
        state.addChanges(writer.state.revision - (writer.hadRow ? list.before.revision : 0))
        state.deletedCount += (list.after.exists ? 0 : 1) - (writer.hadRow && !list.before.exists ? 1 : 0)
        last = (list.name, writer.state)
        return writer
    }

    private mutating func finishLists(_ group: ChangeGroup, _ writers: [ListWriter?]) throws {
        var changeCount = 0
        var deletionCount = 0
        for (list, writer) in zip(group.lists, writers) {
            guard let writer else { continue }
            changeCount += writer.changes.count
            guard !list.after.exists else { continue }
            try ListsTable.markDeleted(list.name, in: tables.db)
            deletionCount += 1
        }
        if deletionCount > 0 { try dropNames(after: deletionCount) }
        try cutLogs(after: changeCount)
    }

    /// Drops the oldest names of deleted lists above the maximum. The base rises to the last revision of a dropped
    /// name: a new list of that name continues above it.
    private mutating func dropNames(after deletionCount: Int) throws {
        let surplus = max(0, state.deletedCount - limits.maximumDeletedNames)
        for name in try ListsTable.oldestDeleted(min(surplus, Self.namesPerCommit + deletionCount), in: tables.db) {
            try ListsTable.drop(name.list, in: tables.db)
            state.deletedCount -= 1
            state.logs.add(-name.state.logBytes)
            state.history.base = max(state.history.base, name.state.revision)
            state.history.droppedRevisions = state.history.droppedRevisions.addingSaturated(name.state.revision)
            dropped.append(name.list)
            if last?.list == name.list { last?.state = ListState() }
        }
        try state.history.write(in: tables.db)
    }

    /// Deletes the oldest changes of the store while they have too many bytes. The logs of damaged lists are not
    /// changed.
    private mutating func cutLogs(after changeCount: Int) throws {
        var rest = LogBudget.changesPerCommit + 2 * changeCount
        while state.logs.excess > 0, rest > 0 {
            let (position, excess) = (state.logs.position, state.logs.excess)
            let oldest = try ChangesTable.oldest(after: position, freeing: excess, limit: rest, in: tables.db)
            // Row ids start over in a table that was emptied.
            state.logs.position = oldest.position ?? 0
            guard oldest.count > 0 else { return }
            rest -= oldest.count
            for (name, revision) in oldest.revisions where !damagedLists.contains(name) {
                try cutLog(of: name, through: revision)
            }
        }
    }

    private mutating func cutLog(of name: ListName, through revision: Int64) throws {
        do {
            // It is verified first.
            _ = try tables.lists.list(name, base: state.history.base)
            guard var list = try ListsTable.state(of: name, in: tables.db), revision <= list.revision else { return }
            let freed = try tables.changes.prune(through: revision, of: name, limit: .max)
            state.logs.add(-freed)
            list.logBytes = max(0, list.logBytes - freed)
            // A log without changes has no digest.
            if list.logBytes == 0 { list.digest = 0 }
            try ListsTable.setLog(list, of: name, in: tables.db)
        } catch is DamagedList {
            // The audit or a reader reports it.
        }
    }

    // MARK: Answers

    private mutating func keepAnswers(
        of group: ChangeGroup,
        _ writers: [ListWriter?],
        besides repeated: [Int: Result<AnsweredRequest, StoreError>]
    ) throws {
        var (count, newest) = (0, Int64(0))
        for (place, request) in group.requests.enumerated() where repeated[place] == nil {
            guard let key = request.key, let answer = request.keptAnswer else { continue }
            var evicted: [UInt8]?
            if let list = request.list {
                // Nil if the list is not written.
                guard let made = writers[list]?.evicted else { continue }
                evicted = request.edit.flatMap { made[$0] }
            }
            newest = try tables.answers.insert(answer, evicted: evicted, key, history: state.history.id, at: now)
            count += 1
        }
        guard count > 0 else { return }
        try tables.answers.delete(through: state.expiry.lastExpired(newest: newest, at: instant), limit: 2 * count)
    }
}

private struct ListWriter {
    private let list: ChangeGroup.List
    /// Whether the name had a row before the transaction. A deleted list's name has one too.
    let hadRow: Bool
    private(set) var state: ListState
    private(set) var changes: [ListChange] = []
    /// The favorites that each of them evicted, as a JSON array; nil without any.
    private(set) var evicted: [[UInt8]?] = []
    private let logBytesBefore: Int64
    /// The favorites that were read or saved so far: the next change may evict one that a change saved.
    private var favorites: [Int64: StoredFavorite] = [:]
    /// The ids on the list that these changes have saved, with the revisions that saved them.
    private var savedRevisions: [Int64: Int64] = [:]

    init(_ list: ChangeGroup.List, in tables: StoreTables) throws {
        self.list = list
        let stored = try tables.lists.state(of: list.name, as: list.before)
        hadRow = stored != nil
        state = stored ?? ListState(revision: list.before.revision)
        logBytesBefore = state.logBytes
    }

    /// Writes a change into the log. Of the other rows, only that of a new list is written here, because other rows
    /// refer to it.
    mutating func write(_ edit: ListEdit, in tables: StoreTables) throws {
        if let saved = edit.saved { favorites[saved.character.id] = tables.snapshots.stored(saved, on: list.name) }
        try edit.forEachLeavingID { id in
            savedRevisions[id] = nil
            guard favorites[id] == nil else { return }
            favorites[id] = try tables.favorites.stored(id, on: list.name, tables.snapshots)
        }
        let text = ChangeJSON.text(edit) { favorites[$0]?.text ?? [] }
        state.revision += 1
        state.digest = ChangeDigest.next(after: state.digest, revision: state.revision, text: text)
        state.logBytes += Int64(text.count)
        if let saved = edit.saved { savedRevisions[saved.character.id] = state.revision }
        if !hadRow, changes.isEmpty { try tables.lists.set(state, of: list.name, exists: true) }
        try tables.changes.insert(text, of: list.name, state)
        changes.append(ListChange(list.name, try edit.change(at: state.revision, held: held)))
        evicted.append(edit.evicted.isEmpty ? nil : edit.evicted.compactMap { favorites[$0] }.text)
    }

    private func held(_ id: Int64) throws -> Favorite {
        guard let stored = favorites[id] else { throw DamagedList(list: list.name, problem: .favorite(id)) }
        return stored.favorite
    }

    /// After the list's last change, writes the rows of the list and its favorites. It also deletes old changes from
    /// the log. A favorite that one change of a group saved and a later one removed has no row. For a list that many
    /// change concurrently, most toggles need two statements less.
    ///
    /// - Returns: The growth of the log, in bytes; negative if it became shorter.
    mutating func finish(keeping count: Int64, in tables: StoreTables) throws -> Int64 {
        let (before, after) = (list.before, list.after)
        for id in before.ids where savedRevisions[id] != nil || !after.ids.contains(id) {
            try tables.favorites.delete(id, from: list.name)
        }
        for id in after.ids {
            guard let stored = favorites[id], let revision = savedRevisions[id] else { continue }
            try tables.favorites.insert(stored, on: list.name, revision: revision)
        }
        if state.revision > count {
            // Each new change may delete two: so a log above its limit shrinks to it. One more than the limit stays,
            // because its digest proves the change after it.
            let limit = 2 * Int64(changes.count)
            state.logBytes -= try tables.changes.prune(through: state.revision - count - 1, of: list.name, limit: limit)
        }
        state.ids = after.ids
        try tables.lists.set(state, of: list.name, exists: after.exists)
        if before.owner != after.owner { try tables.lists.setOwner(after.owner, of: list.name) }
        return state.logBytes - logBytesBefore
    }
}
