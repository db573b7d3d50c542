internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// A snapshot, or the changes after a revision, and then every change.
    func watchFavorites(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try WatchFavoritesRequest(call)
        let name = try call.list(request.list, for: .reading)
        let revision = request.fromRevision
        guard revision >= 0 else { throw .tooLow(revision, field: "from_revision", .revisionInvalid) }
        let start = try start(request, on: name)
        let admitted = try watches.enter(call.caller)
        // The watch begins before the list is read, so that it misses no change in between.
        let watch = WatchContext(
            admitted,
            list: lists.watch(name),
            lists: lists,
            store: store,
            progressInterval: progressInterval
        )
        return .source(FavoritesWatcher(watch, at: start))
    }

    /// - Throws: PLACE_INVALID.
    private func start(
        _ request: WatchFavoritesRequest,
        on list: ListName
    ) throws(RPCError) -> FavoritesWatcher.Position {
        guard !request.place.isEmpty else {
            let revision = request.fromRevision
            return revision > 0 ? .resuming(after: revision, by: .revision) : .beforeSnapshot(nil)
        }
        guard request.fromRevision == 0 else { throw .placeAndRevision() }
        guard let position = FavoritesPlace(request.place).position(on: list) else { throw .placeInvalid() }
        guard position.history == lists.history else {
            return .resumingElsewhere(after: position.revision, position.history)
        }
        return .resuming(after: position.revision, by: .place)
    }
}

final class WatchContext: Sendable {
    let list: WatchedList
    let lists: CurrentLists
    let store: any FavoritesStore
    /// The time without a change after which a watcher gets a progress event.
    let progressInterval: Duration
    /// The watch's place in the gate, which is free when this object is released.
    private let admitted: AdmittedWatch

    init(
        _ admitted: AdmittedWatch,
        list: WatchedList,
        lists: CurrentLists,
        store: any FavoritesStore,
        progressInterval: Duration
    ) {
        self.admitted = admitted
        self.list = list
        self.lists = lists
        self.store = store
        self.progressInterval = progressInterval
    }

    func renewed() -> WatchContext {
        WatchContext(
            admitted,
            list: lists.watch(list.name),
            lists: lists,
            store: store,
            progressInterval: progressInterval
        )
    }

    var hasEnded: Bool {
        lists.catchUp()
        return list.hasEnded
    }

    func following(_ revision: Int64) -> WatchedList.Following {
        lists.catchUp()
        return list.following(revision)
    }

    func place(_ revision: Int64) -> FavoritesPlace { list.place(revision) }

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
