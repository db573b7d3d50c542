internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Handles `ToggleFavorite`: saves or removes a favorite, and answers when the change is on disk.
    func toggleFavorite(_ call: IncomingCall) throws(RPCError) -> Step {
        let toggle = try Toggle(ToggleFavoriteRequest(call))
        return .later { [self] () async throws(RPCError) in
            let result = try await apply(toggle)
            let response = ToggleFavoriteResponse(
                isFavorite: result.isFavorite,
                revision: result.revision,
                evicted: result.evicted,
                place: result.place?.text ?? ""
            )
            return .last(response.encoded())
        }
    }

    /// Applies a toggle. Only the store knows whether it needs the character's snapshot. A catalog in memory passes the
    /// snapshot at once, which saves a second call of the store; a gateway is asked only if the store needs it.
    private func apply(_ toggle: Toggle) async throws(RPCError) -> ToggleResult {
        guard toggle.desired != .removed else { return try await apply(toggle, saving: nil) }
        let editRevision = curation?.editRevision
        switch catalog.character(id: toggle.characterID) {
        case .ready(let entry):
            let result = try await apply(toggle, saving: entry?.character)
            if let character = entry?.character, let curation, curation.editRevision != editRevision {
                await curation.saved(character)
            }
            return result
        case .later(let fetch):
            if case .done(let result) = try await ask(toggle, saving: nil) { return result }
            let entry: CatalogEntry?
            do throws(CatalogError) {
                entry = try await fetch()
            } catch {
                throw RPCError(error)
            }
            return try await apply(toggle, saving: entry?.character)
        }
    }

    /// - Throws: NOT_FOUND if a character is needed, and the catalog has none.
    private func apply(_ toggle: Toggle, saving character: MarvelCharacter?) async throws(RPCError) -> ToggleResult {
        switch try await ask(toggle, saving: character) {
        case .done(let result): return result
        case .characterNeeded: throw .characterNotFound(toggle.characterID)
        }
    }

    private func ask(_ toggle: Toggle, saving character: MarvelCharacter?) async throws(RPCError) -> ToggleOutcome {
        do throws(StoreError) {
            defer { lists.catchUp() }
            return try await store.toggle(toggle, character: character, deadline: runtime.storeDeadline)
        } catch {
            throw RPCError(error)
        }
    }
}

extension Toggle {
    fileprivate init(_ request: ToggleFavoriteRequest) throws(RPCError) {
        let list = try ListName(request: request.list)
        guard request.characterID > 0 else { throw .characterIDInvalid(request.characterID, field: "character_id") }
        guard let desired = request.desired.desired else { throw .desiredUnknown(request.desired) }
        let requestID = try RequestID.read(request.requestID)
        self.init(list: list, characterID: request.characterID, desired: desired, requestID: requestID)
    }
}
