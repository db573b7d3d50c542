internal import Access
internal import Catalog
internal import MarvelDomain
internal import RPCCore

extension CharacterService {
    /// Answers a call as the same request was answered a moment ago, if that is still the answer.
    ///
    /// - Parameters:
    ///   - kind: The method that is called.
    ///   - call: The call.
    ///   - answer: Makes a new answer. If it gets recent answers, it keeps the new one in them if it can: the request was
    ///     made before.
    /// - Returns: The recent answer, or the new one.
    /// - Throws: The errors of `answer`.
    func recentAnswer(
        _ kind: RecentAnswers.Kind,
        to call: IncomingCall,
        otherwise answer: (RecentAnswers?) throws(RPCError) -> Step
    ) throws(RPCError) -> Step {
        // Taken before the characters are read. An edit in between puts a newer answer into the answers of the old catalog,
        // which only calls that began before the edit still see. The other order would put an old answer into the new ones.
        let recent = catalog.recentAnswers
        switch recent?.find(kind, call.payload) {
        case .answer(let found) where !mayRead(found, call): return try answer(nil)
        case .answer(let answer) where isCurrent(answer): return .last(answer)
        case .repeated: return try answer(recent)
        case .answer where kind == .favorites: return try answer(recent)
        case .answer, .unknown, nil: return try answer(nil)
        }
    }

    private func mayRead(_ answer: RecentAnswers.Answer, _ call: IncomingCall) -> Bool {
        // The hot path: no name is compared.
        if call.principal.grants.readsAllLists { return true }
        return answer.list.map { call.principal.grants.allows(.reading, list: $0.text) } ?? true
    }

    /// Returns whether a message is a recent answer, and still what its caller gets.
    func isCurrent(_ message: any OutgoingMessage) -> Bool {
        guard let answer = message as? RecentAnswers.Answer else { return false }
        return isCurrent(answer)
    }

    private func isCurrent(_ answer: RecentAnswers.Answer) -> Bool {
        // Asked before the lists: see `age`.
        if answer.kind == .favorites, lists.age != nil { return false }
        // The hot path: no list has changed since the last call.
        return answer.isCurrent(after: lists.changeCount) {
            guard let list = answer.list else { return true }
            if answer.kind == .favorites { return lists.knownFavorites(list) === answer.message }
            guard let favorites = lists.ids(of: list) else { return false }
            return favorites.isEmpty || !answer.ids.contains(where: favorites.contains)
        }
    }
}
