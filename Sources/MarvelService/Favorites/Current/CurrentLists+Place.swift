internal import MarvelDomain
internal import RPCCore

extension CurrentLists {
    struct LeastPlace {
        let history: HistoryID
        let revision: Int64
    }

    /// Reads the place in a request; nil if `text` is empty. `field` is for the error.
    ///
    /// - Throws: PLACE_INVALID.
    func leastPlace(_ text: String, of list: ListName, field: String) throws(RPCError) -> LeastPlace? {
        guard !text.isEmpty else { return nil }
        guard let position = FavoritesPlace(text).position(on: list) else { throw .placeInvalid(field: field) }
        return LeastPlace(history: position.history, revision: position.revision)
    }

    func knownFavorites(_ list: ListName, atLeast place: LeastPlace?) -> EncodedFavorites? {
        guard let favorites = knownFavorites(list) else { return nil }
        guard let place else { return favorites }
        return favorites.history == place.history && favorites.revision >= place.revision ? favorites : nil
    }

    /// The contents of a list, as new as a place.
    ///
    /// - Throws: HISTORY_CHANGED if the list can never reach the place, because the caller has seen another history.
    func favorites(_ list: ListName, atLeast place: LeastPlace?) async throws(RPCError) -> EncodedFavorites {
        do throws(StoreError) {
            guard let place else { return try await favorites(list) }
            // The history may have begun while this server had no connection to its database. The store knows.
            if place.history != history { _ = try await load(list) }
            let favorites = try await favorites(list, atLeast: place.revision)
            if favorites.history == place.history, favorites.revision >= place.revision { return favorites }
        } catch {
            throw RPCError(error)
        }
        throw .historyChanged()
    }

    /// - Throws: HISTORY_CHANGED, like `favorites(_:atLeast:)`.
    func wait(for place: LeastPlace, of list: ListName) async throws(RPCError) {
        if place.history == history, hasReached(place.revision, of: list) { return }
        _ = try await favorites(list, atLeast: place)
    }
}
