package import MarvelDomain

extension AnswerColumns {
    /// Returns the answer to a request that a store has in these columns; nil if they have no valid list or digest.
    package func answered(
        to request: RequestKey,
        in history: HistoryID,
        evicted: [Favorite]
    ) -> AnsweredRequest? {
        if kind == .edit { return AnsweredEdit(list: list, characterID: characterID).map(AnsweredRequest.edit) }
        guard !list.isEmpty, let name = ListName(list) else { return nil }
        let place = FavoritesPlace(list: name, history: history, revision: revision)
        guard case .toggle(let desired) = kind else {
            return .deletion(name, ListDeletion(revision: revision, existed: flag, place: place))
        }
        let toggle = Toggle(list: name, characterID: characterID, desired: desired, request: request)
        return .toggle(toggle, ToggleResult(isFavorite: flag, revision: revision, evicted: evicted, place: place))
    }
}

extension AnswerColumns.Kind {
    package static let all = DesiredFavorite.allCases.map(Self.toggle) + [.deletion, .edit]
}
