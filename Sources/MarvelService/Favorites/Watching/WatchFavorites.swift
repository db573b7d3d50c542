internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// `WatchFavorites`: a snapshot, or what follows a revision, and then every change.
    func watchFavorites(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try WatchFavoritesRequest(call)
        let name = try ListName(request: request.list)
        guard request.fromRevision >= 0 else { throw .revisionInvalid(request.fromRevision) }
        // Watched first and read afterwards, so that nothing happens in between unseen (RELIABILITY V3).
        let watch = FavoritesWatch(list: feed.list(name), store: store, progressInterval: progressInterval)
        guard request.fromRevision > 0 else { return .source(FavoritesWatcher(watch, at: .beforeSnapshot)) }
        return .source(FavoritesWatcher(watch, at: .resuming(after: request.fromRevision, isFirst: true)))
    }
}

/// What stays the same for a watcher from event to event.
final class FavoritesWatch: Sendable {
    let list: WatchedList
    let store: any FavoritesStore
    /// How long nothing happens before a watcher is told that nothing did.
    let progressInterval: Duration

    init(list: WatchedList, store: any FavoritesStore, progressInterval: Duration) {
        self.list = list
        self.store = store
        self.progressInterval = progressInterval
    }

    func read<Value: Sendable>(
        _ body: (any FavoritesStore) async throws(StoreError) -> Value
    ) async throws(RPCError) -> Value {
        do throws(StoreError) {
            return try await body(store)
        } catch {
            throw RPCError(error)
        }
    }
}
