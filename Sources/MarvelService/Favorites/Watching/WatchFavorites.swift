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
        return .source(FavoritesWatcher(OpenWatch(admitted, of: name, in: self), at: start))
    }

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

final class OpenWatch: Sendable {
    let list: WatchedList
    let service: CharacterService
    private let admitted: AdmittedWatch

    init(_ admitted: AdmittedWatch, of list: ListName, in service: CharacterService) {
        self.admitted = admitted
        self.list = service.lists.watch(list)
        self.service = service
    }

    func renewed() -> OpenWatch { OpenWatch(admitted, of: list.name, in: service) }

    var hasEnded: Bool {
        service.lists.catchUp()
        return list.hasEnded
    }

    func following(_ revision: Int64) -> WatchedList.Following {
        service.lists.catchUp()
        return list.following(revision)
    }
}
