internal import MarvelDomain
internal import RPCCore

/// Reads that must not be older than a place.
extension FavoritesStore {
    /// The revision that a read must have reached.
    ///
    /// - Parameters:
    ///   - text: The place that the caller names; empty if it names none.
    ///   - list: The list that is read.
    ///   - field: The field that `text` is from.
    /// - Returns: The revision; nil if the caller names none.
    /// - Throws: PLACE_INVALID, or HISTORY_CHANGED if the place is of another history.
    func revision(reading text: String, of list: ListName, field: String) throws(RPCError) -> Int64? {
        guard !text.isEmpty else { return nil }
        guard let position = FavoritesPlace(text).position(on: list) else { throw .placeInvalid(field: field) }
        guard position.history == history else { throw .historyChanged() }
        return position.revision
    }

    /// Waits until the list has come to a revision.
    ///
    /// - Throws: HISTORY_CHANGED if it never will, so that what the caller has seen is not in this history.
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
