internal import FavoritesEngine
internal import MarvelDomain

/// A group of changes as the database gets it. All values of its rows are made here: the database only compares, and stores.
struct GroupCommit {
    /// The work of the statement on a list, by the parameter `state`.
    private enum State: Int16 {
        /// It only has to be as it was.
        case compared = 0
        case written = 1
        case deleted = 2
    }

    private let group: ChangeGroup
    private let now: Timestamp
    private let keptChanges: Int64
    private let maximumListsPerOwner: Int
    private var lists: [ListRows] = []

    /// - Parameters:
    ///   - group: The group. The favorites of its lists have to be in it.
    ///   - now: The time of its answers.
    ///   - keptChanges: The number of the last changes of each list that are kept.
    ///   - maximumListsPerOwner: The maximum number of lists of an owner; 0 sets no limit.
    ///   - characters: The characters that were saved recently.
    /// - Throws: `.malformed` if a favorite that leaves a list is not among those of the list.
    init(
        _ group: ChangeGroup,
        at now: Timestamp,
        keptChanges: Int64,
        maximumListsPerOwner: Int,
        _ characters: inout SavedCharacterTexts
    ) throws(DatabaseFault) {
        self.group = group
        self.now = now
        self.keptChanges = keptChanges
        self.maximumListsPerOwner = maximumListsPerOwner
        for list in group.lists { lists.append(try ListRows(list, &characters)) }
    }

    /// Sends the group in one round trip and one transaction.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - isHolding: Whether it has a transaction that holds the lists of the group. It ends with the group.
    /// - Returns: The outcome, which is durable.
    /// - Throws: `.otherHistory`, or another fault.
    func run(on connection: PostgresConnection, isHolding: Bool) throws(DatabaseFault) -> GroupOutcome {
        if !isHolding, let parameters = singleParameters {
            let rows = try connection.runTogether([.init(.lockHistory), .init(.commitOne, parameters)])
            if try rows[1].integer(0, 0) == 1 { return GroupOutcome(lists: [.applied(lists[0].changes)], base: nil) }
        }
        let (calls, comparison) = calls
        let rows = try connection.runTogether(calls + (isHolding ? [.init(.end)] : []))
        return try outcome(rows[comparison])
    }

    // MARK: Statements

    /// The calls of a group, and the place of the one that compares and sets.
    private var calls: (calls: [PostgresConnection.Call], comparison: Int) {
        let unknown = group.lists.filter { $0.before.isUnknown && !$0.edits.isEmpty }.map(\.name)
            .sorted { $0.text < $1.text }
        var calls = [PostgresConnection.Call(.lockHistory)]
        if !unknown.isEmpty { calls.append(.init(.makeNames, .names(unknown))) }
        calls.append(.init(.lockLists, .names(group.lists.map(\.name))))
        if makesOwnedLists { calls.append(.init(.lockOwners)) }
        let comparison = calls.count
        calls.append(.init(.commitGroup, parameters))
        if !unknown.isEmpty { calls.append(.init(.deleteUnusedNames, .names(unknown))) }
        let pruned = prunedLogs
        if !pruned.isEmpty {
            var rows = ParameterRows(.text, .int8)
            for (name, revision) in pruned {
                rows.add(name.text)
                rows.add(revision)
            }
            calls.append(.init(.pruneChanges, Parameters(rows)))
        }
        return (calls, comparison)
    }

    /// The changes that are left when a log is pruned, above those that are kept. A log is not pruned with each change.
    private static let prunedAtOnce: Int64 = 16

    /// The lists whose logs are pruned, and the last revision that need not be kept.
    private var prunedLogs: [(name: ListName, revision: Int64)] {
        let step = min(Self.prunedAtOnce, max(1, keptChanges / 2))
        return group.lists.compactMap { list in
            let (before, after) = (list.before.revision, list.after.revision)
            guard after > keptChanges, before / step != after / step else { return nil }
            return (list.name, after - keptChanges)
        }
    }

    private var makesOwnedLists: Bool { group.lists.contains(where: needsRoom) }

    /// Returns whether a list gets an owner, whose lists have to be counted.
    private func needsRoom(_ list: ChangeGroup.List) -> Bool {
        maximumListsPerOwner > 0 && list.after.owner != nil && list.after.owner != list.before.owner
    }

    private var parameters: Parameters {
        var parameters = Parameters()
        parameters.add(group.history.value)
        parameters.add(now.seconds)
        parameters.add(listRows)
        parameters.add(requestRows)
        parameters.add(changeRows)
        parameters.add(leavingRows)
        parameters.add(savedRows)
        return parameters
    }

    private var listRows: ParameterRows {
        var rows = ParameterRows(.text, .int8, .int8, .int2, .int8, .int8, .text, .text, .bytes, .int8)
        var made: [String: Int64] = [:]
        for list in lists {
            let (before, after, state) = (list.list.before, list.list.after, state(of: list.list))
            let ids = list.ids
            rows.add(list.list.name.text)
            rows.add(before.revision)
            rows.add(before.digest)
            rows.add(state.rawValue)
            rows.add(after.revision)
            rows.add(list.digest)
            rows.add(ids)
            rows.add(after.owner)
            rows.add(state == .written ? list.checksum(ids: ids) : nil)
            if let owner = after.owner, needsRoom(list.list) {
                made[owner, default: 0] += 1
                rows.add(Int64(maximumListsPerOwner) - made[owner, default: 0])
            } else {
                rows.add(Int64?.none)
            }
        }
        return rows
    }

    private func state(of list: ChangeGroup.List) -> State {
        if list.edits.isEmpty { return .compared }
        return list.after.exists ? .written : .deleted
    }

    private var requestRows: ParameterRows {
        var rows = ParameterRows(.text, .text, .text, .int8, .int2, .int2, .int8, .bytes)
        for request in group.requests {
            let answer = request.keptAnswer
            rows.add(request.key?.principal)
            rows.add(request.key?.id.text)
            rows.add(request.list.map { group.lists[$0].name.text })
            rows.add(answer?.characterID ?? 0)
            rows.add(answer?.kind.stored ?? 0)
            rows.add(Int16(answer?.flag ?? false ? 1 : 0))
            rows.add(answer?.revision)
            rows.add(evicted(by: request))
        }
        return rows
    }

    private func evicted(by request: ChangeGroup.Request) -> [UInt8]? {
        guard let list = request.list, let edit = request.edit else { return nil }
        return lists[list].evicted[edit]
    }

    private var changeRows: ParameterRows {
        var rows = ParameterRows(.text, .int8, .int8, .bytes)
        for list in lists {
            for (change, text) in zip(list.changes, list.texts) {
                rows.add(change.list.text)
                rows.add(change.revision)
                rows.add(change.digest)
                rows.add(text)
            }
        }
        return rows
    }

    private var leavingRows: ParameterRows {
        var rows = ParameterRows(.text, .int8)
        for list in lists {
            for id in list.leavingIDs {
                rows.add(list.list.name.text)
                rows.add(id)
            }
        }
        return rows
    }

    private var savedRows: ParameterRows {
        var rows = ParameterRows(.text, .int8, .int8, .bytes, .bytes)
        for list in lists {
            for (favorite, revision) in list.saved {
                rows.add(list.list.name.text)
                rows.add(favorite.id)
                rows.add(revision)
                rows.add(favorite.text)
                rows.add(list.checksum(of: favorite, savedAt: revision))
            }
        }
        return rows
    }

    /// The parameters of the short statement; nil if the group is more than one change of a list that exists before and after it.
    private var singleParameters: Parameters? {
        guard group.requests.count == 1, group.lists.count == 1, lists[0].changes.count == 1,
            group.lists[0].before.exists, group.lists[0].after.exists, prunedLogs.isEmpty,
            let key = group.requests[0].key, let answer = group.requests[0].keptAnswer
        else { return nil }
        let (list, rows) = (group.lists[0], lists[0])
        let saved = rows.saved.first
        var parameters = Parameters()
        parameters.add(group.history.value)
        parameters.add(list.name.text)
        parameters.add(list.before.revision)
        parameters.add(list.before.digest)
        parameters.add(list.after.revision)
        parameters.add(rows.digest)
        parameters.add(list.after.ids)
        parameters.add(rows.checksum(ids: rows.ids))
        parameters.add(rows.texts[0])
        parameters.add(rows.leavingIDs)
        parameters.add(ifAny: saved?.favorite.id)
        parameters.add(ifAny: saved?.favorite.text)
        parameters.add(ifAny: saved.map { rows.checksum(of: $0.favorite, savedAt: $0.revision) })
        parameters.add(key.principal)
        parameters.add(key.id.text)
        parameters.add(answer.characterID)
        parameters.add(Int64(answer.kind.stored))
        parameters.add(Int64(answer.flag ? 1 : 0))
        parameters.add(ifAny: rows.evicted[0])
        parameters.add(now.seconds)
        parameters.add(ifAny: list.after.owner)
        return parameters
    }

    // MARK: The outcome

    /// The kinds of rows that the comparison returns, by their first column.
    private enum RowKind: Int64 {
        /// The history and the base.
        case facts = 0
        /// A list that was as it had been, and is changed.
        case applied = 1
        /// The kept answer to a request.
        case repeated = 2
    }

    private func outcome(_ rows: Rows) throws(DatabaseFault) -> GroupOutcome {
        var outcome = GroupOutcome(lists: group.lists.map { _ in .conflict }, base: nil)
        for row in 0..<rows.count {
            let place = Int(try rows.integer(row, 1)) - 1
            switch RowKind(rawValue: try rows.integer(row, 0)) {
            case .facts:
                guard HistoryID(try rows.integer(row, 2)) == group.history else { throw .otherHistory }
                outcome.base = try rows.integer(row, 7)
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
