internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Saves or removes a favorite, and answers when the change is on disk.
    ///
    /// Only the store knows whether it needs the character's snapshot. A catalog in memory passes the snapshot
    /// immediately, which saves a second call of the store. A gateway is asked only if the store needs it.
    func toggleFavorite(_ call: IncomingCall) throws(RPCError) -> Step {
        let toggle = try Toggle(ToggleFavoriteRequest(call), of: call)
        let deadline = runtime.storeDeadline(of: call.deadline)
        guard toggle.desired != .removed else { return apply(toggle, saving: nil, by: deadline) }
        switch catalog.character(id: toggle.characterID) {
        case .ready(let entry): return apply(toggle, saving: entry?.character, by: deadline)
        case .later(let fetch): return apply(toggle, by: deadline, fetching: fetch)
        }
    }

    /// Applies a toggle without a task of its own: the store's writer calls back. It fails with NOT_FOUND if the store
    /// needs the character and `character` is nil. `deadline` is on the store's clock.
    private func apply(
        _ toggle: Toggle,
        saving character: MarvelCharacter?,
        by deadline: ContinuousClock.Instant?
    ) -> Step {
        .pending(
            PendingStep { [self] arrived in
                store.toggle(toggle, character: character, deadline: deadline) { [self] result in
                    arrived { [self] () throws(RPCError) in
                        lists.catchUp()
                        switch result {
                        case .success(.done(let result)): return ToggleFavoriteResponse(result).answer
                        case .success(.characterNeeded): throw .characterNotFound(toggle.characterID)
                        case .failure(let error): throw RPCError(error)
                        }
                    }
                }
            }
        )
    }

    /// Fetches the character only if the store needs it.
    private func apply(
        _ toggle: Toggle,
        by deadline: ContinuousClock.Instant?,
        fetching fetch: @escaping @Sendable () async throws(CatalogError) -> CatalogEntry?
    ) -> Step {
        .later { [self] () async throws(RPCError) in
            let outcome: ToggleOutcome
            do throws(StoreError) {
                defer { lists.catchUp() }
                outcome = try await store.toggle(toggle, character: nil, deadline: deadline)
            } catch {
                throw RPCError(error)
            }
            if case .done(let result) = outcome { return ToggleFavoriteResponse(result).answer }
            let entry: CatalogEntry?
            do throws(CatalogError) {
                entry = try await fetch()
            } catch {
                throw RPCError(error)
            }
            return apply(toggle, saving: entry?.character, by: deadline)
        }
    }
}

extension ToggleFavoriteResponse {
    fileprivate init(_ result: ToggleResult) {
        self.init(
            isFavorite: result.isFavorite,
            revision: result.revision,
            evicted: result.evicted,
            place: result.place?.text ?? ""
        )
    }

    fileprivate var answer: Step { .last(encoded()) }
}

extension Toggle {
    fileprivate init(_ request: ToggleFavoriteRequest, of call: IncomingCall) throws(RPCError) {
        let list = try call.list(request.list, for: .writing)
        let id = request.characterID
        guard id > 0 else { throw .tooLow(id, field: "character_id", minimum: 1, .characterIDInvalid) }
        guard let desired = request.desired.desired else { throw .desiredUnknown(request.desired) }
        let key = RequestKey(try RequestID.read(request.requestID), of: call.principal.name)
        let owner = ListOwner(call.principal)
        self.init(list: list, characterID: id, desired: desired, request: key, owner: owner)
    }
}

extension ListOwner {
    fileprivate init(_ principal: Principal) {
        if !principal.name.isEmpty {
            self = .named(principal.name)
        } else {
            self = principal.proof == .local ? .nobody : .stranger
        }
    }
}
