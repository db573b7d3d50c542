internal import FavoritesEngine
internal import MarvelDomain

/// The rows of a group for `Statement.commitGroup`. The writer keeps their memory for the next group, because new memory of that
/// size costs page faults.
struct GroupRows {
    fileprivate let parameters = Parameters()
    /// The JSON of all changes.
    fileprivate var json = JSONWriter()
    /// The text of the last checksum.
    fileprivate let checked = ByteMemory()
    fileprivate var answers: [AnswerColumns?] = []
    fileprivate var changes: [(list: Int, change: Int)] = []
    fileprivate var leaving: [(list: Int, id: Int64)] = []
    fileprivate var saved: [(list: Int, id: Int64, revision: Int64, text: Range<Int>)] = []
}

/// A group of changes with all values of its rows: the database only compares and stores.
struct GroupCommit {
    private let group: ChangeGroup
    private let now: Timestamp
    private let settings: PostgresFavoritesStore.Settings
    private var lists: [WrittenList] = []
    /// The transaction in which `run` made changes; nil if it made none.
    private(set) var transaction: TransactionID?

    init(
        _ group: ChangeGroup,
        at now: Timestamp,
        _ settings: PostgresFavoritesStore.Settings,
        _ rows: inout GroupRows,
        _ characters: inout SavedCharacterTexts
    ) throws(DatabaseFault) {
        (self.group, self.now, self.settings) = (group, now, settings)
        rows.json.removeAll(keepingCapacity: rows.json.bytes.count <= ByteMemory.maximumKept)
        lists.reserveCapacity(group.lists.count)
        for list in group.lists { lists.append(try WrittenList(list, &rows.json, &characters)) }
    }

    /// Sends the group in one transaction, which ends the one that holds its lists, and returns the durable outcome. The rows are
    /// those of `init`.
    mutating func run(
        on connection: PostgresConnection,
        isHolding: Bool,
        _ rows: inout GroupRows
    ) throws(DatabaseFault) -> GroupOutcome {
        let texts = rows.json.bytes
        if !isHolding, let parameters = texts.withUnsafeBytes({ singleParameters($0, rows.checked) }) {
            let results = try connection.runTogether([.init(.lockHistory), .init(.commitOne, parameters)])
            if try results[1].integer(0, 0) == 1 {
                transaction = try results[1].transaction(0, 1)
                return GroupOutcome(lists: [.applied(lists[0].changes)], base: nil)
            }
        }
        texts.withUnsafeBytes { fill(&rows, $0) }
        let (calls, comparison) = self.calls(rows.parameters)
        let results = try connection.runTogether(calls + (isHolding ? [.init("COMMIT")] : []))
        return try outcome(results[comparison])
    }

    // MARK: Statements

    /// Returns the calls of a group, and the place of the one that compares and sets.
    private func calls(_ parameters: Parameters) -> (calls: [PostgresConnection.Call], comparison: Int) {
        let unknown = group.lists.filter { $0.before.isUnknown && !$0.edits.isEmpty }.map(\.name)
            .sorted { $0.text < $1.text }
        var calls = [PostgresConnection.Call(.lockHistory)]
        if !unknown.isEmpty { calls.append(.init(.makeNames, unknown)) }
        calls.append(.init(.lockLists, group.lists.map(\.name)))
        if group.lists.indices.contains(where: needsRoom) { calls.append(.init(.lockOwners)) }
        let comparison = calls.count
        calls.append(.init(.commitGroup, parameters))
        if !unknown.isEmpty { calls.append(.init(.deleteUnusedNames, unknown)) }
        let pruned = prunedLogs
        if !pruned.isEmpty { calls.append(.init(.pruneChanges, pruned.map(\.name), pruned.map(\.revision))) }
        return (calls, comparison)
    }

    /// A log is pruned after so many changes.
    private static let prunedAtOnce: Int64 = 16

    /// The lists whose logs are pruned, and the last revision that is deleted.
    private var prunedLogs: [(name: ListName, revision: Int64)] {
        let keptChanges = settings.changesPerList
        let step = min(Self.prunedAtOnce, max(1, keptChanges / 2))
        return group.lists.compactMap { list in
            let (before, after) = (list.before.revision, list.after.revision)
            guard after > keptChanges, before / step != after / step else { return nil }
            return (list.name, after - keptChanges)
        }
    }

    /// Whether a list gets an owner, whose lists have to be counted.
    private func needsRoom(_ list: Int) -> Bool {
        guard settings.maximumListsPerOwner > 0, let owner = group.lists[list].after.owner else { return false }
        return owner != group.lists[list].before.owner
    }

    private func fill(_ rows: inout GroupRows, _ texts: UnsafeRawBufferPointer) {
        collect(&rows)
        rows.parameters.removeAll()
        rows.parameters.add(group.history.value)
        rows.parameters.add(now.seconds)
        addLists(to: rows.parameters, rows.checked)
        addRequests(to: rows.parameters, rows.answers, texts)
        let (changes, leaving, saved) = (rows.changes, rows.leaving, rows.saved)
        rows.parameters.add(changes.indices) { group.lists[changes[$0].list].name }
        rows.parameters.add(changes.indices) { lists[changes[$0].list].changes[changes[$0].change].revision }
        rows.parameters.add(changes.indices) { lists[changes[$0].list].changes[changes[$0].change].digest }
        rows.parameters.add(changes.indices) { texts[slice: lists[changes[$0].list].texts[changes[$0].change].text] }
        rows.parameters.add(leaving.indices) { group.lists[leaving[$0].list].name }
        rows.parameters.add(leaving.indices) { leaving[$0].id }
        rows.parameters.add(saved.indices) { group.lists[saved[$0].list].name }
        rows.parameters.add(saved.indices) { saved[$0].id }
        rows.parameters.add(saved.indices) { saved[$0].revision }
        rows.parameters.add(saved.indices) { texts[slice: saved[$0].text] }
        let checked = rows.checked
        rows.parameters.add(saved.indices) { place in
            let (list, id, revision, text) = saved[place]
            return lists[list].checksum(id, savedAt: revision, texts[slice: text], checked)
        }
    }

    private func collect(_ rows: inout GroupRows) {
        rows.answers.removeAll(keepingCapacity: true)
        rows.changes.removeAll(keepingCapacity: true)
        rows.leaving.removeAll(keepingCapacity: true)
        rows.saved.removeAll(keepingCapacity: true)
        // A loop over requests or lists would copy each of them.
        for request in group.requests.indices { rows.answers.append(group.requests[request].keptAnswer) }
        for list in lists.indices where lists[list].state != .compared {
            for change in lists[list].changes.indices { rows.changes.append((list, change)) }
            for id in lists[list].leavingIDs { rows.leaving.append((list, id)) }
            for favorite in lists[list].favorites.indices {
                guard let (revision, text) = lists[list].favorites[favorite].saved else { continue }
                rows.saved.append((list, lists[list].favorites[favorite].id, revision, text))
            }
        }
    }

    private func addLists(to parameters: Parameters, _ checked: ByteMemory) {
        let all = lists.indices
        parameters.add(all) { group.lists[$0].name }
        parameters.add(all) { group.lists[$0].before.revision }
        parameters.add(all) { group.lists[$0].before.digest }
        parameters.add(all) { lists[$0].state.rawValue }
        parameters.add(all) { group.lists[$0].after.revision }
        parameters.add(all) { lists[$0].digest }
        parameters.add(all) { IDsText(ids: group.lists[$0].after.ids) }
        parameters.add(all) { group.lists[$0].after.owner }
        parameters.add(all) { lists[$0].state == .written ? lists[$0].checksum(checked) : nil }
        var made: [String: Int] = [:]
        parameters.add(all) { list -> Int? in
            guard needsRoom(list), let owner = group.lists[list].after.owner else { return nil }
            made[owner, default: 0] += 1
            return settings.maximumListsPerOwner - made[owner, default: 0]
        }
    }

    private func addRequests(to parameters: Parameters, _ answers: [AnswerColumns?], _ texts: UnsafeRawBufferPointer) {
        let all = group.requests.indices
        parameters.add(all) { group.requests[$0].key?.principal }
        parameters.add(all) { group.requests[$0].key?.id.text }
        parameters.add(all) { request in group.requests[request].list.map { group.lists[$0].name } }
        parameters.add(all) { answers[$0]?.characterID ?? 0 }
        parameters.add(all) { answers[$0]?.kind.stored ?? 0 }
        parameters.add(all) { answers[$0]?.flag == true ? 1 : 0 as Int16 }
        parameters.add(all) { answers[$0]?.revision }
        parameters.add(all) { request -> ByteSlice? in
            guard let list = group.requests[request].list, let edit = group.requests[request].edit else { return nil }
            return lists[list].texts[edit].evicted.map { texts[slice: $0] }
        }
    }

    /// The parameters of `Statement.commitOne`; nil if the group is not one change of an existing list.
    private func singleParameters(_ texts: UnsafeRawBufferPointer, _ checked: ByteMemory) -> Parameters? {
        guard group.requests.count == 1, group.lists.count == 1, lists[0].changes.count == 1,
            group.lists[0].before.exists, group.lists[0].after.exists, prunedLogs.isEmpty,
            let key = group.requests[0].key, let answer = group.requests[0].keptAnswer
        else { return nil }
        let (list, rows) = (group.lists[0], lists[0])
        let places = rows.texts[0]
        let saved = places.saved.map { texts[slice: $0] }
        let savedID = list.edits[0].saved?.character.id
        let savedChecksum = saved.map { rows.checksum(savedID ?? 0, savedAt: list.after.revision, $0, checked) }
        return Parameters(
            group.history.value,
            list.name,
            list.before.revision,
            list.before.digest,
            list.after.revision,
            rows.digest,
            list.after.ids,
            rows.checksum(checked),
            texts[slice: places.text],
            rows.leavingIDs,
            savedID,
            saved,
            savedChecksum,
            key.principal,
            key.id.text,
            answer.characterID,
            answer.kind.stored,
            answer.flag ? 1 : 0,
            places.evicted.map { texts[slice: $0] },
            now.seconds,
            list.after.owner
        )
    }

    // MARK: The outcome

    /// The first column of a row that the comparison returns.
    private enum RowKind: Int64 {
        /// The history and the base.
        case facts = 0
        /// A list that was as it had been, and is changed.
        case applied = 1
        /// The stored answer to a request.
        case repeated = 2
    }

    private mutating func outcome(_ rows: Rows) throws(DatabaseFault) -> GroupOutcome {
        var outcome = GroupOutcome(lists: group.lists.map { _ in .conflict }, base: nil)
        for row in 0..<rows.count {
            let place = Int(try rows.integer(row, 1)) - 1
            switch RowKind(rawValue: try rows.integer(row, 0)) {
            case .facts:
                guard HistoryID(try rows.integer(row, 2)) == group.history else { throw .otherHistory }
                outcome.base = try rows.integer(row, 7)
                transaction = try rows.transaction(row, 9)
            case .applied where lists.indices.contains(place): outcome.lists[place] = .applied(lists[place].changes)
            case .repeated where group.requests.indices.contains(place):
                let request = group.requests[place]
                guard let key = request.key else { throw .malformed("an answer to a request without a key") }
                do throws(DatabaseFault) {
                    outcome.repeated[place] = .success(try AnsweredRequest(rows, row, from: 2, to: key))
                } catch {
                    // The change was made, and its answer is lost.
                    outcome.repeated[place] = .failure(.outcomeUnknown(error.publicText))
                }
                if let list = request.list { outcome.lists[list] = .skipped }
            default: throw .malformed("a row that is no part of a group")
            }
        }
        return outcome
    }
}

extension UnsafeRawBufferPointer {
    fileprivate subscript(slice range: Range<Int>) -> ByteSlice {
        ByteSlice(UnsafeRawBufferPointer(rebasing: self[range]))
    }
}
