internal import MarvelDomain
internal import RPCCore

/// Reads that must be at least as new as a place.
extension CurrentLists {
    /// Returns the revision that a read must have reached.
    ///
    /// - Parameters:
    ///   - text: The place in the request; empty if there is none.
    ///   - list: The list that is read.
    ///   - field: The field of `text`, for the error.
    /// - Returns: The revision; nil if there is no place.
    /// - Throws: PLACE_INVALID, or HISTORY_CHANGED if the place is of another history.
    func revision(reading text: String, of list: ListName, field: String) throws(RPCError) -> Int64? {
        guard !text.isEmpty else { return nil }
        guard let position = FavoritesPlace(text).position(on: list) else { throw .placeInvalid(field: field) }
        guard position.history == history else { throw .historyChanged() }
        return position.revision
    }

    /// Waits until the list has reached a revision.
    ///
    /// - Throws: HISTORY_CHANGED if the list can never reach it, because the caller has seen another history.
    func wait(for revision: Int64, of list: ListName) async throws(RPCError) {
        let isReached: Bool
        do throws(StoreError) {
            isReached = try await reach(revision, of: list)
        } catch {
            throw RPCError(error)
        }
        guard isReached else { throw .historyChanged() }
    }
}
