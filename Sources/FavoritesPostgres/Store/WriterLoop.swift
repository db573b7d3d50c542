internal import MarvelDomain
internal import RPCCore
internal import ServerMetrics
internal import Synchronization

/// The work of the writer's thread.
final class WriterLoop {
    /// Requests that are sent together, until their outcome is known.
    private struct Group {
        var waiting: [WaitingRequest]
        var requests: [GroupedRequest]
        var begun = ContinuousClock.now
        var conflictCount = 0
        /// Whether it may be committed: its connection was lost, or its results could not be read.
        var isOutcomeUnknown = false

        /// Answers all its callers that a fault ended it.
        func fail(_ fault: DatabaseFault) {
            let error = fault.writeError(isOutcomeUnknown: isOutcomeUnknown)
            for request in waiting { request.answer(.failure(error)) }
        }

        /// Returns the wait before the next attempt; nil if the time of the group is over.
        mutating func nextWait(_ maximum: Duration) -> Duration? {
            guard begun + maximum > .now else { return nil }
            conflictCount += 1
            return GroupWriter.conflictBackoff.delay(afterFailures: conflictCount, random: .random(in: 0..<1))
        }
    }

    /// The time after which other replicas are told of changes even if more requests wait.
    private static let notificationDelay = Duration.milliseconds(5)
    /// The time between two attempts to connect while nothing waits.
    private static let idleAttempt = Duration.milliseconds(500)

    private let writer: GroupWriter
    private let link: DatabaseLink
    private var groups: [Group] = []
    /// The time of the first change that other replicas were not told of.
    private var untoldSince: ContinuousClock.Instant?
    /// The answers that were written since old ones were last deleted.
    private var answerCount = 0
    private var pruner: AnswerPruner

    init(_ writer: GroupWriter, _ link: DatabaseLink) {
        self.writer = writer
        self.link = link
        pruner = AnswerPruner(maximumAnswers: writer.limits.maximumAnswers)
    }

    /// Works until the store is closed, and then until nothing waits.
    func run() {
        while true {
            let hasWork = !groups.isEmpty || writer.hasWork()
            if !hasWork, writer.thread.shouldStop, writer.end() { break }
            do throws(DatabaseFault) {
                let connection = try connected()
                try tell(connection, isIdle: !hasWork)
                try prune(connection)
                if hasWork { work(connection) } else { try link.rest(nil) }
            } catch {
                disconnected(error, hasWork: hasWork)
            }
        }
    }

    private func connected() throws(DatabaseFault) -> PostgresConnection {
        let connection = try link.connection()
        writer.status.connected(.writer)
        return connection
    }

    private func disconnected(_ fault: DatabaseFault, hasWork: Bool) {
        if link.current != nil { link.failed(fault) }
        writer.status.failed(.writer, fault)
        writer.refuseExpired(fault)
        giveUpOldGroups(fault)
        link.waitForAttempt()
        // Nobody waits, so attempts may be rarer.
        if !hasWork, link.current == nil { try? link.rest(Self.idleAttempt) }
    }

    private func giveUpOldGroups(_ fault: DatabaseFault) {
        let latest = ContinuousClock.now - writer.limits.groupTime
        while let group = groups.first, group.begun < latest || writer.thread.shouldStop {
            groups.removeFirst()
            group.fail(fault)
        }
    }

    /// Tells other replicas that there are changes, alone and after their callers were answered.
    private func tell(_ connection: PostgresConnection, isIdle: Bool) throws(DatabaseFault) {
        guard let since = untoldSince, isIdle || since + Self.notificationDelay <= .now else { return }
        // Whatever becomes of it: the others poll too.
        untoldSince = nil
        try connection.run(.notify)
    }

    /// Deletes old answers, in proportion to those that were written since. Their callers have been answered.
    private func prune(_ connection: PostgresConnection) throws(DatabaseFault) {
        guard answerCount >= AnswerPruner.interval else { return }
        let count = answerCount
        answerCount = 0
        do {
            try pruner.prune(after: count, connection)
        } catch {
            guard error.consequence != .reconnect else { throw error }
            writer.status.report("the deletion of old answers", error)
        }
    }

    // MARK: Groups

    private func work(_ connection: PostgresConnection) {
        if groups.isEmpty { begin() }
        guard let group = groups.first else { return }
        // A group that is sent again is sent for the history that is published then.
        let history = writer.publisher.history
        do throws(DatabaseFault) {
            let effects = try commit(group, in: history, connection)
            groups.removeFirst()
            publish(effects, in: history)
            for damage in effects.compactMap(\.damage) { writer.status.report("a change", damage) }
            answerCount += effects.count
            for (waiting, effect) in zip(group.waiting, effects) { waiting.answer(effect.answer) }
        } catch {
            failed(error)
        }
    }

    /// Takes the next group from the inbox, and refuses what is not begun any more.
    private func begin() {
        let instant = ContinuousClock.now
        var begun: [WaitingRequest] = []
        for request in writer.takeGroup() {
            if let refusal = request.caller.refusal(at: instant, maximumWait: writer.limits.inbox.maximumWait) {
                request.answer(.failure(refusal))
            } else {
                begun.append(request)
            }
        }
        guard !begun.isEmpty else { return }
        let now = writer.now()
        groups.append(
            Group(waiting: begun, requests: begun.map { $0.request(at: now) })
        )
    }

    private func commit(
        _ group: Group,
        in history: HistoryID,
        _ connection: PostgresConnection
    ) throws(DatabaseFault) -> [RequestGroup.Effect] {
        let limits = RequestGroup.Limits(
            history: history,
            room: Int64(writer.limits.maximumLists - writer.publisher.listCount),
            maximumListsPerOwner: Int64(writer.limits.maximumListsPerOwner),
            keptChanges: writer.limits.changesPerList
        )
        let known = writer.publisher.revisions(of: group.requests.map(\.list), in: history)
        let parameters = RequestGroup.parameters(group.requests, known, limits, at: writer.now())
        if group.isOutcomeUnknown { writer.counts.resent.add(1, ordering: .relaxed) }
        let start = ContinuousClock.now
        let rows = try connection.run(.applyRequests, parameters)
        // Until its results are read: a fault in them ends a group that is committed.
        groups[0].isOutcomeUnknown = true
        let time = start.duration(to: .now)
        writer.counts.durations.add(nanoseconds: Int64(clamping: time.attoseconds / 1_000_000_000))
        writer.counts.sizes.add(group.requests.count)
        return try RequestGroup.effects(group.requests, rows, writer.limits)
    }

    /// Publishes the changes of a group, before its callers are answered. Changes of other servers that precede them are
    /// read and published first, and so is what the group itself has changed before its connection was lost.
    private func publish(_ effects: [RequestGroup.Effect], in history: HistoryID) {
        let changes = effects.compactMap(\.change)
        let end = ContinuousClock.now + writer.limits.patience
        while true {
            let gaps = writer.publisher.gaps(before: changes, answered: effects.compactMap(\.reached), in: history)
            guard !gaps.isEmpty else { break }
            do throws(DatabaseFault) {
                if let missing = try connected().changes(after: gaps, in: history) {
                    writer.publisher.publish(missing, in: history)
                }
                break
            } catch {
                if error.consequence == .reconnect, link.current != nil { link.failed(error) }
                writer.status.failed(.writer, error)
                // The group is committed all the same. Without these changes, subscribers read the lists.
                guard error.consequence == .reconnect, end > .now, !writer.thread.shouldStop else { break }
                link.waitForAttempt()
            }
        }
        writer.publisher.publish(changes, in: history)
        if !changes.isEmpty { untoldSince = untoldSince ?? .now }
    }

    private func failed(_ fault: DatabaseFault) {
        switch fault.consequence {
        case .reconnect:
            groups[0].isOutcomeUnknown = true
            link.failed(fault)
            writer.status.failed(.writer, fault)
        case .retry:
            writer.counts.conflicts.add(1, ordering: .relaxed)
            guard let wait = groups[0].nextWait(writer.limits.groupTime) else { return answerFirst(fault) }
            _ = writer.thread.wakeup.wait(timeout: wait)
        case .refuse, .endWriting: answerFirst(fault)
        case .fail: splitFirst(fault)
        }
    }

    private func answerFirst(_ fault: DatabaseFault) {
        writer.status.report("a group of changes", fault)
        groups.removeFirst().fail(fault)
    }

    /// Sends the requests of a group one by one, because one of them makes it fail.
    private func splitFirst(_ fault: DatabaseFault) {
        guard groups[0].waiting.count > 1 else { return answerFirst(fault) }
        let group = groups.removeFirst()
        groups.insert(
            contentsOf: zip(group.waiting, group.requests).map { waiting, request in
                Group(waiting: [waiting], requests: [request], isOutcomeUnknown: group.isOutcomeUnknown)
            },
            at: 0
        )
    }
}

extension RequestGroup.Effect {
    fileprivate var answer: Result<WaitingRequest.Answer, StoreError> {
        if let deletion { return .success(.deletion(deletion)) }
        return result.map(WaitingRequest.Answer.toggle)
    }
}

extension PostgresConnection {
    /// The maximum number of changes that are read to make up for missing ones. Above it, lists are read instead.
    static let maximumChanges = 5_000

    /// Reads the changes of lists after the last known revision of each.
    ///
    /// - Returns: The changes; nil if there are too many.
    /// - Throws: `.otherHistory` if the revisions are of another history than the database's.
    func changes(
        after revisions: [ListName: Int64],
        in history: HistoryID
    ) throws(DatabaseFault) -> [LoggedChange]? {
        var parameters = Parameters()
        parameters.add(revisions.map(\.key.text))
        parameters.add(revisions.map(\.value))
        parameters.add(Int64(Self.maximumChanges))
        let rows = try run(.changesOfLists, parameters)
        guard rows.count < Self.maximumChanges else { return nil }
        var changes: [LoggedChange] = []
        for row in 0..<rows.count {
            guard HistoryID(try rows.integer(row, 4)) == history else { throw .otherHistory }
            changes.append(try LoggedChange(rows, row, from: 0))
        }
        return changes
    }
}

extension LoggedChange {
    /// Reads a change from the columns list, revision, digest and change. Of a text that is damaged only the revision is
    /// known.
    init(_ rows: Rows, _ row: Int, from column: Int) throws(DatabaseFault) {
        let list = try ListName(rows, row, column)
        let revision = try rows.integer(row, column + 1)
        let text = try rows.bytes(row, column + 3)
        digest = try rows.integer(row, column + 2)
        news =
            (try? FavoritesChange(stored: text, revision: revision)).map { ListChange(list, $0) }
            ?? ListChange(list, revision: revision)
        self.text = text
    }
}

extension FavoritesChange {
    init(stored text: [UInt8], revision: Int64) throws(DatabaseFault) {
        var hasReplaced = false
        do {
            self = try ChangeJSON.change(utf8: text, revision: revision) { _ in hasReplaced = true }
        } catch {
            throw .malformed("a change cannot be read: \(error)")
        }
        // A server of an earlier version makes such a change when a character is edited. Who follows reads the list again.
        guard !hasReplaced else { throw .malformed("a change replaced what was saved") }
    }
}

extension ListName {
    init(_ rows: Rows, _ row: Int, _ column: Int) throws(DatabaseFault) {
        let text = try rows.text(row, column)
        guard !text.isEmpty, let name = ListName(text) else { throw .malformed("a list has no valid name") }
        self = name
    }
}
