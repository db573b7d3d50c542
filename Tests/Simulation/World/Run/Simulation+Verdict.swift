internal import MarvelDomain
internal import TrialChecks

/// The promises to the clients of a simulation, and whether the servers kept them.
///
/// Each history is judged by itself, with all that its servers committed. Changes that the next history does not know
/// may have been lost after their answers; then they are not repeated, and every watcher is told.
extension Simulation {
    func verdict(_ found: [String]) -> Outcome {
        let ofLists = lists.flatMap { list in
            database.eras.flatMap { violations(of: list, in: $0) } + watchViolations(of: list)
                + repeatViolations(of: list)
        }
        return Outcome(
            seed: seed,
            violations: found + problems.found + ofLists + readViolations() + idleViolations(),
            trace: scheduler.trace,
            toggleCount: togglers.reduce(0) { $0 + $1.toggles.count },
            watchEventCount: watchers.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.sights.count } },
            stepCount: scheduler.stepCount
        )
    }

    private func violations(of list: ListName, in era: SimulatedDatabase.Era) -> [String] {
        guard let base = era.bases[list] else { return [] }
        let log = era.changes(of: list)
        let clients = togglers.filter { $0.list == list }
        let found = HistoryCheck(
            base: base,
            log: log,
            list: log.reduce(into: base) { $0.apply($1) },
            toggles: clients.flatMap(\.toggles).compactMap { $0.answered(in: era.history, on: list) },
            deletions: clients.flatMap(\.deletions).filter {
                $0.answer.place?.position(on: list)?.history == era.history
            }
        ).violations()
        let kept = era.keptRevision(of: list) ?? .max
        let broken = found.filter { violation in
            guard case .unclaimed(let revision) = violation else { return true }
            // Nobody was told of it, and it was lost; or who made it was told of what was lost before.
            return revision <= kept && !log.contains { $0.revision == revision && isOfLostRequest($0, list) }
        }
        return broken.map { "\(list.text), history \(era.history): \($0)" }
    }

    /// Whether a change may have been made by a request that was answered in an earlier history which has lost it. Of a
    /// request that was sent more than once, one that is late is new to the next history, and nobody waits for its answer.
    private func isOfLostRequest(_ change: FavoritesChange, _ list: ListName) -> Bool {
        togglers.filter { $0.list == list }.contains { client in
            client.deletions.contains { change.isDeletion && wasLost($0.requestID, $0.answer.place, list) }
                || client.toggles.contains { toggle in
                    toggle.mayHaveMade(change)
                        && toggle.answers.contains { wasLost(toggle.requestID, $0.place, list) }
                }
        }
    }

    /// Whether the history of an answer ended without the request.
    private func wasLost(_ request: RequestID, _ place: FavoritesPlace?, _ list: ListName) -> Bool {
        let history = place?.position(on: list)?.history
        let end = database.eras.first { $0.history == history }?.end
        return end.map { !$0.hasAnswered(RequestKey(request)) } ?? false
    }

    /// A request that was answered in two histories was made twice, so that the first time has to be lost.
    private func repeatViolations(of list: ListName) -> [String] {
        togglers.filter { $0.list == list }.flatMap(\.toggles).compactMap { toggle in
            let first = toggle.answer.place?.position(on: list)?.history
            guard toggle.answers.contains(where: { $0.place?.position(on: list)?.history != first }) else { return nil }
            return wasLost(toggle.requestID, toggle.answer.place, list)
                ? nil : "\(list.text): \(toggle.requestID) was executed in two histories"
        }
    }

    // MARK: Watches

    private func watchViolations(of list: ListName) -> [String] {
        watchers.filter { $0.list == list }.flatMap { watcher -> [String] in
            let order = watcher.parts.compactMap { part in database.eras.firstIndex { $0.history == part.history } }
            var found: [String] = []
            if order != order.sorted() || order.count != watcher.parts.count { found.append("histories out of order") }
            if !watcher.isStopped, order.last != database.eras.count - 1 {
                found.append("did not hear of a new history")
            }
            if !watcher.parts.allSatisfy(\.isAnnounced) { found.append("a new history without an event") }
            for (part, index) in zip(watcher.parts, order) {
                found += violations(
                    of: part,
                    of: list,
                    in: database.eras[index],
                    isComplete: part.isComplete(watcher, index, of: database.eras.count)
                ).map { "\($0)" }
            }
            return found.map { "a watcher of \(list.text): \($0)" }
        }
    }

    private func violations(
        of part: Watcher.Part,
        of list: ListName,
        in era: SimulatedDatabase.Era,
        isComplete: Bool
    ) -> [Violation] {
        guard let base = era.bases[list] else { return [] }
        let log = era.changes(of: list)
        let last = part.sights.last.map(\.revision) ?? base.revision
        let seen = isComplete ? log : log.filter { $0.revision <= last }
        return WatchCheck(base: base, log: seen, sights: part.sights).violations()
    }

    // MARK: Reads

    private func readViolations() -> [String] {
        reader.reads.flatMap { read -> [String] in
            guard let era = database.eras.first(where: { $0.history == read.history }), let base = era.bases[read.list]
            else { return ["\(read.list.text): a read of an unknown history"] }
            var violations: [String] = []
            if let minimum = read.minimum, read.found.revision < minimum.revision || era.history != minimum.history {
                violations.append("a read at least as new as \(minimum) gave \(read.found.revision)")
            }
            let log = era.changes(of: read.list).filter { $0.revision <= read.found.revision }
            let logged = log.reduce(into: base) { $0.apply($1) }
            if logged != read.found {
                let (found, wanted) = (read.found.favorites.map(\.character.id), logged.favorites.map(\.character.id))
                violations.append("a read gave \(found) and not \(wanted) at revision \(read.found.revision)")
            }
            return violations.map { "\(read.list.text): \($0)" }
        }
    }

    // MARK: The end

    private func idleViolations() -> [String] {
        for watcher in watchers { watcher.stop() }
        let isIdle = scheduler.run(atMost: 1_000_000) { [self] in servers.allSatisfy(\.isIdle) }
        return isIdle ? [] : ["calls continue after their clients left"]
    }
}

extension AnsweredToggle {
    /// Whether a change is what it wished for.
    fileprivate func mayHaveMade(_ change: FavoritesChange) -> Bool {
        wish != .removed && change.saved?.character.id == characterID
            || wish != .saved && change.removed?.character.id == characterID
    }

    /// The toggle with those of its answers that are of a history; nil if none is.
    fileprivate func answered(in history: HistoryID, on list: ListName) -> AnsweredToggle? {
        let answers = answers.filter { $0.place?.position(on: list)?.history == history }
        guard let first = answers.first else { return nil }
        var toggle = self
        // Of a later answer only the first sending is known, and that it was answered at last.
        let answered = first == answer ? answered : .max
        toggle = AnsweredToggle(requestID, wish, characterID, sent: sent, answered: answered, answer: first)
        for answer in answers.dropFirst() { toggle.repeated(answer) }
        return toggle
    }
}

extension Watcher.Part {
    /// Whether the watcher should have seen all of the history.
    fileprivate func isComplete(_ watcher: Watcher, _ index: Int, of count: Int) -> Bool {
        index == count - 1 && !watcher.isStopped
    }
}
