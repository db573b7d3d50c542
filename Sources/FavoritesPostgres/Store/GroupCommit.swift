internal import FavoritesEngine
internal import MarvelDomain

/// The rows of a group for `Statement.commitGroup`. The writer keeps their memory for the next group, because new memory of that
/// size costs page faults.
struct GroupRows {
    fileprivate var lists = ParameterRows(.text, .int8, .int8, .int2, .int8, .int8, .text, .text, .bytes, .int8)
    fileprivate var requests = ParameterRows(.text, .text, .text, .int8, .int2, .int2, .int8, .bytes)
    fileprivate var changes = ParameterRows(.text, .int8, .int8, .bytes)
    fileprivate var leaving = ParameterRows(.text, .int8)
    fileprivate var saved = ParameterRows(.text, .int8, .int8, .bytes, .bytes)
    fileprivate var parameters = Parameters()
    /// The JSON of all changes.
    fileprivate var json = JSONWriter()
    /// The text of the last checksum.
    fileprivate var checked: [UInt8] = []

    fileprivate mutating func removeAll() {
        lists.removeAll()
        requests.removeAll()
        changes.removeAll()
        leaving.removeAll()
        saved.removeAll()
        parameters.removeAll()
    }
}

/// A group of changes with all values of its rows: the database only compares and stores.
struct GroupCommit {
    private let group: ChangeGroup
    private let now: Timestamp
    private let settings: PostgresFavoritesStore.Settings
    private var lists: [ListRows] = []
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
        rows.json.removeAll(keepingCapacity: rows.json.bytes.count <= Parameters.maximumKeptBytes)
        lists.reserveCapacity(group.lists.count)
        for list in group.lists { lists.append(try ListRows(list, &rows.json, &characters)) }
    }

    /// Sends the group in one transaction, which ends the one that holds its lists, and returns the durable outcome. The rows are
    /// those of `init`.
    mutating func run(
        on connection: PostgresConnection,
        isHolding: Bool,
        _ rows: inout GroupRows
    ) throws(DatabaseFault) -> GroupOutcome {
        let texts = rows.json.bytes
        if !isHolding, let parameters = texts.withUnsafeBytes({ singleParameters($0, &rows.checked) }) {
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
        rows.removeAll()
        addLists(to: &rows.lists, &rows.checked)
        addRequests(to: &rows.requests, texts)
        // Here and below: a loop over lists or requests would copy each of them.
        for list in lists.indices where lists[list].state != .compared {
            let name = group.lists[list].name
            for change in lists[list].changes.indices {
                rows.changes.add(name)
                rows.changes.add(lists[list].changes[change].revision)
                rows.changes.add(lists[list].changes[change].digest)
                rows.changes.add(texts[slice: lists[list].texts[change].text])
            }
            for id in lists[list].leavingIDs {
                rows.leaving.add(name)
                rows.leaving.add(id)
            }
            for favorite in lists[list].favorites.indices {
                guard let (revision, place) = lists[list].favorites[favorite].saved else { continue }
                let (id, text) = (lists[list].favorites[favorite].id, texts[slice: place])
                rows.saved.add(name)
                rows.saved.add(id)
                rows.saved.add(revision)
                rows.saved.add(text)
                lists[list].writeChecked(id, savedAt: revision, to: &rows.checked)
                rows.saved.add(Checksum(rows.checked, text))
            }
        }
        rows.parameters.add(group.history.value)
        rows.parameters.add(now.seconds)
        rows.parameters.add(rows.lists)
        rows.parameters.add(rows.requests)
        rows.parameters.add(rows.changes)
        rows.parameters.add(rows.leaving)
        rows.parameters.add(rows.saved)
    }

    private func addLists(to rows: inout ParameterRows, _ checked: inout [UInt8]) {
        var made: [String: Int] = [:]
        for list in lists.indices {
            let ids = lists[list].writeChecked(to: &checked)
            rows.add(group.lists[list].name)
            rows.add(group.lists[list].before.revision)
            rows.add(group.lists[list].before.digest)
            rows.add(lists[list].state.rawValue)
            rows.add(group.lists[list].after.revision)
            rows.add(lists[list].digest)
            checked.withUnsafeBytes { rows.add(TextSlice($0[slice: ids])) }
            rows.add(group.lists[list].after.owner)
            if lists[list].state == .written { rows.add(Checksum(checked)) } else { rows.addNull() }
            if let owner = group.lists[list].after.owner, needsRoom(list) {
                made[owner, default: 0] += 1
                rows.add(settings.maximumListsPerOwner - made[owner, default: 0])
            } else {
                rows.addNull()
            }
        }
    }

    private func addRequests(to rows: inout ParameterRows, _ texts: UnsafeRawBufferPointer) {
        for place in group.requests.indices {
            let (key, list) = (group.requests[place].key, group.requests[place].list)
            rows.add(key?.principal)
            rows.add(key?.id.text)
            if let list { rows.add(group.lists[list].name) } else { rows.addNull() }
            if let answer = group.requests[place].keptAnswer {
                rows.add(answer.characterID)
                rows.add(answer.kind.stored)
                rows.add(Int16(answer.flag ? 1 : 0))
                rows.add(answer.revision)
            } else {
                rows.add(0)
                rows.add(Int16(0))
                rows.add(Int16(0))
                rows.addNull()
            }
            if let list, let edit = group.requests[place].edit, let evicted = lists[list].texts[edit].evicted {
                rows.add(texts[slice: evicted])
            } else {
                rows.addNull()
            }
        }
    }

    /// The parameters of `Statement.commitOne`; nil if the group is not one change of an existing list.
    private func singleParameters(_ texts: UnsafeRawBufferPointer, _ checked: inout [UInt8]) -> Parameters? {
        guard group.requests.count == 1, group.lists.count == 1, lists[0].changes.count == 1,
            group.lists[0].before.exists, group.lists[0].after.exists, prunedLogs.isEmpty,
            let key = group.requests[0].key, let answer = group.requests[0].keptAnswer
        else { return nil }
        let (list, rows) = (group.lists[0], lists[0])
        let places = rows.texts[0]
        let saved = places.saved.map { texts[slice: $0] }
        let savedID = list.edits[0].saved?.character.id
        _ = rows.writeChecked(to: &checked)
        let checksum = Checksum(checked)
        rows.writeChecked(savedID ?? 0, savedAt: list.after.revision, to: &checked)
        let savedChecksum = saved.map { Checksum(checked, $0) }
        return Parameters(
            group.history.value,
            list.name,
            list.before.revision,
            list.before.digest,
            list.after.revision,
            rows.digest,
            list.after.ids,
            checksum,
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
