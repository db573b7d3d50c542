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
    fileprivate let lists = ListColumns()
    fileprivate let requests = RequestColumns()
    fileprivate let changes = ChangeColumns()
    fileprivate let leaving = LeavingColumns()
    fileprivate let saved = SavedColumns()

    /// In the order of the statement's parameters.
    fileprivate var columns: [any ParameterColumn] {
        lists.all + requests.all + changes.all + leaving.all + saved.all
    }
}

private struct ListColumns {
    let name = Column<ListName>()
    let expected = Column<Int64>()
    let expectedDigest = Column<Int64>()
    let state = Column<Int16>()
    let next = Column<Int64>()
    let digest = Column<Int64>()
    let ids = Column<IDsText>()
    let owner = Column<String?>()
    let checksum = Column<Checksum?>()
    let room = Column<Int?>()

    var all: [any ParameterColumn] {
        [name, expected, expectedDigest, state, next, digest, ids, owner, checksum, room]
    }
}

private struct RequestColumns {
    let principal = Column<String?>()
    let id = Column<String?>()
    let list = Column<ListName?>()
    let character = Column<Int64>()
    let kind = Column<Int16>()
    let flag = Column<Int16>()
    let revision = Column<Int64?>()
    let evicted = Column<ByteSlice?>()

    var all: [any ParameterColumn] { [principal, id, list, character, kind, flag, revision, evicted] }
}

private struct ChangeColumns {
    let list = Column<ListName>()
    let revision = Column<Int64>()
    let digest = Column<Int64>()
    let text = Column<ByteSlice>()

    var all: [any ParameterColumn] { [list, revision, digest, text] }
}

private struct LeavingColumns {
    let list = Column<ListName>()
    let character = Column<Int64>()

    var all: [any ParameterColumn] { [list, character] }
}

private struct SavedColumns {
    let list = Column<ListName>()
    let character = Column<Int64>()
    let revision = Column<Int64>()
    let text = Column<ByteSlice>()
    let checksum = Column<Checksum>()

    var all: [any ParameterColumn] { [list, character, revision, text, checksum] }
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
        _ rows: GroupRows
    ) throws(DatabaseFault) -> GroupOutcome {
        let texts = rows.json.bytes
        if !isHolding, let parameters = texts.withUnsafeBytes({ singleParameters($0, rows.checked) }) {
            let results = try connection.runTogether([.init(.lockHistory), .init(.commitOne, parameters)])
            if try results[1].integer(0, 0) == 1 {
                transaction = try results[1].transaction(0, 1)
                return GroupOutcome(lists: [.applied(lists[0].changes)], base: nil)
            }
        }
        texts.withUnsafeBytes { fill(rows, $0) }
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
        if group.lists.contains(where: { newOwner(of: $0) != nil }) { calls.append(.init(.lockOwners)) }
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

    /// The new owner of a list, if the number of its lists is limited; nil otherwise.
    private func newOwner(of list: ChangeGroup.List) -> String? {
        guard settings.maximumListsPerOwner > 0, list.after.owner != list.before.owner else { return nil }
        return list.after.owner
    }

    private func fill(_ rows: GroupRows, _ texts: UnsafeRawBufferPointer) {
        let columns = rows.columns
        for column in columns { column.removeAll() }
        // The lists of each owner that the group makes.
        var made: [String: Int] = [:]
        // Loops over the values would copy each of them.
        for place in lists.indices { add(lists[place], to: rows, texts, &made) }
        for place in group.requests.indices { add(requestAt: place, to: rows.requests, texts) }
        rows.parameters.removeAll()
        rows.parameters.add(group.history.value)
        rows.parameters.add(now.seconds)
        for column in columns { column.add(to: rows.parameters) }
    }

    private func add(
        _ written: WrittenList,
        to rows: GroupRows,
        _ texts: UnsafeRawBufferPointer,
        _ made: inout [String: Int]
    ) {
        let list = written.list
        rows.lists.name.append(list.name)
        rows.lists.expected.append(list.before.revision)
        rows.lists.expectedDigest.append(list.before.digest)
        rows.lists.state.append(written.state.rawValue)
        rows.lists.next.append(list.after.revision)
        rows.lists.digest.append(written.digest)
        rows.lists.ids.append(IDsText(ids: list.after.ids))
        rows.lists.owner.append(list.after.owner)
        rows.lists.checksum.append(written.state == .written ? written.checksum(rows.checked) : nil)
        if let owner = newOwner(of: list) {
            made[owner, default: 0] += 1
            rows.lists.room.append(settings.maximumListsPerOwner - made[owner, default: 0])
        } else {
            rows.lists.room.append(nil)
        }
        for (change, places) in zip(written.changes, written.texts) {
            rows.changes.list.append(list.name)
            rows.changes.revision.append(change.revision)
            rows.changes.digest.append(change.digest)
            rows.changes.text.append(texts[slice: places.text])
        }
        for id in written.leavingIDs {
            rows.leaving.list.append(list.name)
            rows.leaving.character.append(id)
        }
        for saved in written.saved {
            let (id, text) = (saved.id, texts[slice: saved.text])
            rows.saved.list.append(list.name)
            rows.saved.character.append(id)
            rows.saved.revision.append(saved.revision)
            rows.saved.text.append(text)
            rows.saved.checksum.append(Checksum(of: id, on: list.name, savedAt: saved.revision, text, rows.checked))
        }
    }

    private func add(requestAt place: Int, to columns: RequestColumns, _ texts: UnsafeRawBufferPointer) {
        let (key, answer) = (group.requests[place].key, group.requests[place].keptAnswer)
        let (list, edit) = (group.requests[place].list, group.requests[place].edit)
        columns.principal.append(key?.principal)
        columns.id.append(key?.id.text)
        columns.list.append(list.map { group.lists[$0].name })
        columns.character.append(answer?.characterID ?? 0)
        columns.kind.append(answer?.kind.stored ?? 0)
        columns.flag.append(answer?.flag == true ? 1 : 0)
        columns.revision.append(answer?.revision)
        let change = list.flatMap { list in edit.map { lists[list].texts[$0] } }
        columns.evicted.append(change?.evicted.map { texts[slice: $0] })
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
        let savedChecksum = saved.map {
            Checksum(of: savedID ?? 0, on: list.name, savedAt: list.after.revision, $0, checked)
        }
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
