package import MarvelDomain

/// Compares what happened to one list, as its log tells it, with what the clients were told and what watchers saw.
///
/// It begins with a list that was found to be right, the base. To be complete it wants every toggle of the time since
/// to have been answered at last: a change that nobody was told of is a fault then, and no open question.
package struct HistoryCheck {
    /// The list before.
    package var base: FavoritesList
    /// All changes since, as read from the server.
    package var log: [FavoritesChange]
    /// The list now.
    package var list: FavoritesList
    /// All toggles since.
    package var toggles: [AnsweredToggle]
    /// All deletions of the list since.
    package var deletions: [AnsweredDeletion]

    package init(
        base: FavoritesList,
        log: [FavoritesChange],
        list: FavoritesList,
        toggles: [AnsweredToggle],
        deletions: [AnsweredDeletion] = []
    ) {
        self.base = base
        self.log = log
        self.list = list
        self.toggles = toggles
        self.deletions = deletions
    }

    /// Everything that is wrong; empty if nothing is.
    package func violations() -> [Violation] {
        let replay = ReplayedLog(log, after: base)
        return replay.violations + listViolations(replay) + claimViolations(replay) + answerViolations(replay)
            + orderViolations()
    }

    private func listViolations(_ replay: ReplayedLog) -> [Violation] {
        guard list != replay.list else { return [] }
        return [.otherThanLog(listed: list.revision, logged: replay.list.revision)]
    }

    // MARK: Each change, and who made it

    private func claimViolations(_ replay: ReplayedLog) -> [Violation] {
        let claims = Dictionary(grouping: toggles, by: \.answer.revision)
        return log.flatMap { change in
            change.isDeletion
                ? violations(ofDeletion: change.revision) : violations(of: change, claims[change.revision] ?? [])
        }
    }

    private func violations(ofDeletion revision: Int64) -> [Violation] {
        let makers = deletions.filter { $0.answer.existed && $0.answer.revision == revision }
        guard let maker = makers.first else { return [.unclaimed(revision)] }
        return makers.count > 1 ? [.claimedTwice(revision, maker.requestID, makers[1].requestID)] : []
    }

    private func violations(of change: FavoritesChange, _ toggles: [AnsweredToggle]) -> [Violation] {
        let claims = toggles.filter { $0.wasTold(of: change) }
        // A save of what is saved is told the same as who saved it: one of them made the change, whichever.
        let makers = claims.filter(\.saysThatItChanged)
        guard let maker = makers.first else {
            return claims.isEmpty || !change.evicted.isEmpty ? [.unclaimed(change.revision)] : []
        }
        if makers.count > 1 { return [.claimedTwice(change.revision, maker.requestID, makers[1].requestID)] }
        if maker.answer.evicted != change.evicted {
            return [.toldOfOtherEvictions(maker.requestID, change.revision)]
        }
        return []
    }

    // MARK: Each answer, and what the log says of it

    private func answerViolations(_ replay: ReplayedLog) -> [Violation] {
        deletionViolations(replay)
            + toggles.flatMap { toggle in
                var violations: [Violation] = []
                if toggle.answers.contains(where: { $0 != toggle.answer }) {
                    violations.append(.answersDiffer(toggle.requestID))
                }
                if let violation = violation(of: toggle, replay) { violations.append(violation) }
                return violations
            }
    }

    private func deletionViolations(_ replay: ReplayedLog) -> [Violation] {
        deletions.compactMap { deletion in
            let revision = deletion.answer.revision
            if deletion.answer.existed {
                return replay.changes[revision]?.isDeletion == true ? nil : .lost(deletion.requestID, revision)
            }
            return replay.idsAt[revision]?.isEmpty == true ? nil : .notConfirmed(deletion.requestID, revision)
        }
    }

    private func violation(of toggle: AnsweredToggle, _ replay: ReplayedLog) -> Violation? {
        let (answer, revision) = (toggle.answer, toggle.answer.revision)
        let madeChange = replay.changes[revision].map { toggle.wasTold(of: $0) } ?? false
        guard !madeChange else { return nil }
        guard !toggle.saysThatItChanged, let ids = replay.idsAt[revision] else {
            return .lost(toggle.requestID, revision)
        }
        let isConfirmed = ids.contains(toggle.characterID) == answer.isFavorite
        return isConfirmed && answer.isFavorite == (toggle.wish == .saved)
            ? nil : .notConfirmed(toggle.requestID, revision)
    }

    // MARK: Time

    /// A call of a client: its times, and the revision of its answer.
    private struct Call {
        let id: RequestID
        let sent: Int64
        let answered: Int64
        let revision: Int64
    }

    /// Whoever begins after another has ended sees what that one did.
    private func orderViolations() -> [Violation] {
        let calls =
            toggles.map { Call(id: $0.requestID, sent: $0.sent, answered: $0.answered, revision: $0.answer.revision) }
            + deletions.map {
                Call(id: $0.requestID, sent: $0.sent, answered: $0.answered, revision: $0.answer.revision)
            }
        let ended = calls.sorted { $0.answered < $1.answered }
        var next = ended.startIndex
        var latest = base.revision
        return calls.sorted { $0.sent < $1.sent }.compactMap { call in
            while next < ended.endIndex, ended[next].answered < call.sent {
                latest = max(latest, ended[next].revision)
                next += 1
            }
            return call.revision < latest ? .wentBack(call.id, from: latest, to: call.revision) : nil
        }
    }
}

extension AnsweredToggle {
    /// Whether its answer is what the maker of that change is told, evictions aside.
    fileprivate func wasTold(of change: FavoritesChange) -> Bool {
        guard answer.revision == change.revision else { return false }
        return answer.isFavorite
            ? change.saved?.character.id == characterID && wish != .removed
            : change.removed?.character.id == characterID && wish != .saved
    }

    /// Whether it cannot have been one that changed nothing.
    fileprivate var saysThatItChanged: Bool { wish == .toggle || !answer.evicted.isEmpty }
}
