internal import FavoritesEngine
internal import MarvelDomain

/// A group of changes as the database gets it. All values of its rows are made here: the database only compares, and stores.
struct GroupCommit {
    /// A list of the group, and what becomes of it.
    fileprivate struct List {
        let name: ListName
        var changes: [FavoritesChange] = []
        var texts: [[UInt8]] = []
        /// The digest after each change.
        var digests: [Int64] = []
        /// The favorites that each change evicts, as a JSON array; nil if it evicts none.
        var evicted: [[UInt8]?] = []
        /// The bytes of the favorites that the changes read or save, as they were last.
        var favorites: [Int64: [UInt8]] = [:]
    }

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
    private var lists: [List]

    /// - Parameters:
    ///   - group: The group. The favorites of its lists have to be in it.
    ///   - now: The time of its answers.
    ///   - keptChanges: The number of the last changes of each list that are kept.
    ///   - maximumListsPerOwner: The maximum number of lists of an owner; 0 sets no limit.
    /// - Throws: `.malformed` if a favorite that leaves a list is not among those of the list.
    init(
        _ group: ChangeGroup,
        at now: Timestamp,
        keptChanges: Int64,
        maximumListsPerOwner: Int
    ) throws(DatabaseFault) {
        self.group = group
        self.now = now
        self.keptChanges = keptChanges
        self.maximumListsPerOwner = maximumListsPerOwner
        lists = []
        lists.reserveCapacity(group.lists.count)
        for list in group.lists { lists.append(try List(list)) }
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
            if try rows[1].integer(0, 0) == 1 { return GroupOutcome(lists: [applied(0)], base: nil) }
        }
        let (calls, comparison) = calls
        let rows = try connection.runTogether(calls + (isHolding ? [.init(.end)] : []))
        return try outcome(rows[comparison])
    }

    // MARK: Statements

    /// The calls of a group, and the place of the one that compares and sets.
    private var calls: (calls: [PostgresConnection.Call], comparison: Int) {
        let unknown = group.lists.filter { $0.before.isUnknown && !$0.edits.isEmpty }.map(\.name.text).sorted()
        var calls = [PostgresConnection.Call(.lockHistory)]
        if !unknown.isEmpty { calls.append(.init(.makeNames, .texts(unknown))) }
        calls.append(.init(.lockLists, .texts(lists.map(\.name.text))))
        if makesOwnedLists { calls.append(.init(.lockOwners)) }
        let comparison = calls.count
        calls.append(.init(.commitGroup, parameters))
        if !unknown.isEmpty { calls.append(.init(.deleteUnusedNames, .texts(unknown))) }
        let pruned = prunedLogs
        if !pruned.isEmpty {
            var parameters = Parameters()
            parameters.add(pruned.map(\.name.text))
            parameters.add(pruned.map(\.revision))
            calls.append(.init(.pruneChanges, parameters))
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
        addLists(to: &parameters)
        addRequests(to: &parameters)
        addChanges(to: &parameters)
        addFavorites(to: &parameters)
        return parameters
    }

    private func addLists(to parameters: inout Parameters) {
        parameters.add(group.lists.map(\.name.text))
        parameters.add(group.lists.map(\.before.revision))
        parameters.add(group.lists.map(\.before.digest))
        parameters.add(group.lists.map { state(of: $0).rawValue })
        parameters.add(group.lists.map(\.after.revision))
        parameters.add(zip(group.lists, lists).map { $1.digests.last ?? $0.before.digest })
        parameters.add(group.lists.map { "{\($0.after.ids.text)}" })
        parameters.add(group.lists.map(\.after.owner))
        parameters.add(
            zip(group.lists, lists).map { state(of: $0) == .written ? DatabaseRowChecksum.of($0, $1.digests) : nil }
        )
        var made: [String: Int64] = [:]
        parameters.add(
            group.lists.map { list -> Int64? in
                guard needsRoom(list), let owner = list.after.owner else { return nil }
                made[owner, default: 0] += 1
                return Int64(maximumListsPerOwner) - (made[owner] ?? 0)
            }
        )
    }

    private func state(of list: ChangeGroup.List) -> State {
        if list.edits.isEmpty { return .compared }
        return list.after.exists ? .written : .deleted
    }

    private func addRequests(to parameters: inout Parameters) {
        let answers = group.requests.map(answer)
        parameters.add(group.requests.map { $0.key?.principal })
        parameters.add(group.requests.map { $0.key?.id.text })
        parameters.add(group.requests.map { $0.list.map { group.lists[$0].name.text } })
        parameters.add(answers.map { $0?.characterID ?? 0 })
        parameters.add(answers.map { $0?.desired ?? 0 })
        parameters.add(answers.map { $0?.flag ?? false ? 1 : 0 } as [Int16])
        // Nil if no answer is kept.
        parameters.add(answers.map { $0?.revision })
        parameters.add(group.requests.map(evicted))
    }

    private func answer(_ request: ChangeGroup.Request) -> AnsweredRequest? {
        group.answered(request, by: request.list.map { lists[$0].changes } ?? [])
    }

    private func evicted(by request: ChangeGroup.Request) -> [UInt8]? {
        request.list.flatMap { list in request.edit.flatMap { lists[list].evicted[$0] } }
    }

    private func addChanges(to parameters: inout Parameters) {
        parameters.add(lists.flatMap { list in list.changes.map { _ in list.name.text } })
        parameters.add(lists.flatMap { $0.changes.map(\.revision) })
        parameters.add(lists.flatMap(\.digests))
        parameters.add(lists.flatMap(\.texts) as [[UInt8]?])
    }

    private func addFavorites(to parameters: inout Parameters) {
        let left = group.lists.flatMap { list in list.leavingIDs.map { (list.name.text, $0) } }
        parameters.add(left.map(\.0))
        parameters.add(left.map(\.1))
        let saved = zip(group.lists, lists).flatMap { list, rows in
            list.savedRevisions.map { id, revision in
                SavedRow(list: list.name.text, id: id, revision: revision, text: rows.favorites[id] ?? [])
            }
        }
        parameters.add(saved.map(\.list))
        parameters.add(saved.map(\.id))
        parameters.add(saved.map(\.revision))
        parameters.add(saved.map(\.text) as [[UInt8]?])
        parameters.add(saved.map(\.checksum) as [[UInt8]?])
    }

    /// The parameters of the short statement; nil if the group is more than one change of a list that exists before and after it.
    private var singleParameters: Parameters? {
        guard group.requests.count == 1, group.lists.count == 1, let edit = group.lists[0].edits.first,
            group.lists[0].edits.count == 1, let key = group.requests[0].key,
            group.lists[0].before.exists, group.lists[0].after.exists, prunedLogs.isEmpty,
            let answer = answer(group.requests[0])
        else { return nil }
        let (list, rows) = (group.lists[0], lists[0])
        let saved = edit.saved.map { favorite in
            let id = favorite.character.id
            return SavedRow(list: list.name.text, id: id, revision: list.after.revision, text: rows.favorites[id] ?? [])
        }
        var parameters = Parameters()
        parameters.add(group.history.value)
        parameters.add(list.name.text)
        parameters.add(list.before.revision)
        parameters.add(list.before.digest)
        parameters.add(list.after.revision)
        parameters.add(rows.digests[0])
        parameters.add(list.after.ids)
        parameters.add(DatabaseRowChecksum.of(list, rows.digests) ?? [])
        parameters.add(rows.texts[0])
        parameters.add(list.leavingIDs)
        parameters.add(ifAny: saved?.id)
        parameters.add(ifAny: saved?.text)
        parameters.add(ifAny: saved?.checksum)
        parameters.add(key.principal)
        parameters.add(key.id.text)
        parameters.add(answer.characterID)
        parameters.add(Int64(answer.desired))
        parameters.add(Int64(answer.flag ? 1 : 0))
        parameters.add(ifAny: evicted(by: group.requests[0]))
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
            case .applied where lists.indices.contains(place): outcome.lists[place] = applied(place)
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

    private func applied(_ place: Int) -> GroupOutcome.ListResult {
        let digest = lists[place].digests.last ?? group.lists[place].before.digest
        return .applied(lists[place].changes, digest: digest)
    }
}

extension GroupCommit.List {
    init(_ list: ChangeGroup.List) throws(DatabaseFault) {
        name = list.name
        guard !list.edits.isEmpty else { return }
        var held: [Int64: Favorite] = [:]
        for favorite in list.before.favorites ?? [] { held[favorite.character.id] = favorite }
        var (revision, digest) = (list.before.revision, list.before.digest)
        for edit in list.edits {
            revision += 1
            if let saved = edit.saved {
                held[saved.character.id] = saved
                favorites[saved.character.id] = FavoriteJSON.utf8(saved)
            }
            var isMissing = false
            edit.forEachLeavingID { id in
                guard favorites[id] == nil else { return }
                if let favorite = held[id] { favorites[id] = FavoriteJSON.utf8(favorite) } else { isMissing = true }
            }
            guard !isMissing else { throw .malformed("a favorite that leaves the list \(name) is not known") }
            let text = ChangeJSON.text(edit) { favorites[$0] ?? [] }
            digest = DatabaseDigest.next(after: digest, revision: revision, text: text)
            changes.append(
                FavoritesChange(
                    revision: revision,
                    saved: edit.saved,
                    removed: edit.removed.flatMap { held[$0] },
                    evicted: edit.evicted.compactMap { held[$0] },
                    cleared: edit.cleared.compactMap { held[$0] },
                    isDeletion: edit.isDeletion
                )
            )
            texts.append(text)
            digests.append(digest)
            evicted.append(edit.evicted.isEmpty ? nil : edit.evicted.compactMap { favorites[$0] }.jsonArray)
        }
    }
}

/// A row of `marvel.favorites`.
private struct SavedRow {
    let list: String
    let id: Int64
    let revision: Int64
    let text: [UInt8]

    var checksum: [UInt8] { DatabaseRowChecksum.of("\(list)\n\(id)\n\(revision)\n", text) }
}

/// The checksums of rows, as `marvel.list_checksum_1` and `marvel.favorite_checksum_1` make them.
private enum DatabaseRowChecksum {
    static func of(_ head: String, _ rest: [UInt8] = []) -> [UInt8] {
        Array(Digest.sha256.bytes(of: Array(head.utf8) + rest).prefix(8))
    }

    /// Returns the checksum of a list that exists after the changes of a group.
    static func of(_ list: ChangeGroup.List, _ digests: [Int64]) -> [UInt8]? {
        guard let digest = digests.last else { return nil }
        let after = list.after
        return of("\(list.name.text)\n\(after.owner ?? "")\n\n\(after.revision)\n\(digest)\n{\(after.ids.text)}")
    }
}

extension ChangeGroup.List {
    /// The ids whose rows are deleted.
    fileprivate var leavingIDs: [Int64] {
        guard !edits.isEmpty else { return [] }
        return before.ids.filter { !after.ids.contains($0) }
    }

    /// The ids whose rows are written, and the revisions that saved them.
    fileprivate var savedRevisions: [(id: Int64, revision: Int64)] {
        var saved: [Int64: Int64] = [:]
        for (index, edit) in edits.enumerated() {
            edit.forEachLeavingID { saved[$0] = nil }
            if let favorite = edit.saved { saved[favorite.character.id] = before.revision + Int64(index) + 1 }
        }
        return after.ids.compactMap { id in saved[id].map { (id, $0) } }
    }
}

extension [[UInt8]] {
    /// The array of JSON texts, of which there is one at least.
    fileprivate var jsonArray: [UInt8] {
        var array: [UInt8] = []
        array.reserveCapacity(reduce(1) { $0 + $1.count + 1 })
        for text in self {
            array.append(UInt8(ascii: array.isEmpty ? "[" : ","))
            array += text
        }
        array.append(UInt8(ascii: "]"))
        return array
    }
}

extension [Int64] {
    /// The numbers, separated by commas.
    fileprivate var text: String { map(String.init).joined(separator: ",") }
}

extension Parameters {
    fileprivate static func texts(_ texts: [String]) -> Parameters {
        var parameters = Parameters()
        parameters.add(texts)
        return parameters
    }
}
