internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Answers when the change is on disk. Only the store knows whether it needs the character's snapshot. A catalog in
    /// memory passes it immediately. A gateway is asked only if the store needs it.
    func toggleFavorite(_ call: IncomingCall) throws(RPCError) -> Step {
        let toggle = try Toggle(ToggleFavoriteRequest(call), of: call)
        let deadline = runtime.storeDeadline(of: call.deadline)
        guard toggle.desired != .removed else { return apply(toggle, saving: nil, by: deadline) }
        switch catalog.character(id: toggle.characterID) {
        case .ready(let entry): return apply(toggle, saving: entry?.character, by: deadline)
        case .later(let fetch):
            return apply(toggle, saving: nil, by: deadline) { [self] () throws(RPCError) in
                try Lookup.later(fetch).step { [self] entry in apply(toggle, saving: entry?.character, by: deadline) }
            }
        }
    }

    /// The store's writer calls back, so there is no task. `missing` continues without a snapshot; nil for the error
    /// NOT_FOUND.
    private func apply(
        _ toggle: Toggle,
        saving character: MarvelCharacter?,
        by deadline: ContinuousClock.Instant?,
        ifMissing missing: (@Sendable () throws(RPCError) -> Step)? = nil
    ) -> Step {
        .pending(ToggleStep(toggle, saving: character, by: deadline, ifMissing: missing, in: self))
    }
}

extension CharacterService {
    /// The change is on disk, and all later readers see it.
    func settled<Value>(_ answer: Result<Value, StoreError>) throws(RPCError) -> Value {
        lists.catchUp()
        switch answer {
        case .success(let value): return value
        case .failure(let error): throw RPCError(error)
        }
    }
}

/// `@unchecked Sendable`: the store calls back once, and hands the object on to the event loop by `arrived`.
private final class ToggleStep: PendingStep, @unchecked Sendable {
    private let toggle: Toggle
    private let character: MarvelCharacter?
    private let deadline: ContinuousClock.Instant?
    private let missing: (@Sendable () throws(RPCError) -> Step)?
    private let service: CharacterService
    private var outcome: Result<ToggleOutcome, StoreError> = .failure(.outcomeUnknown("the store has not answered"))
    private var arrived: (@Sendable () -> Void)?

    init(
        _ toggle: Toggle,
        saving character: MarvelCharacter?,
        by deadline: ContinuousClock.Instant?,
        ifMissing missing: (@Sendable () throws(RPCError) -> Step)?,
        in service: CharacterService
    ) {
        (self.toggle, self.character, self.deadline) = (toggle, character, deadline)
        (self.missing, self.service) = (missing, service)
    }

    func begin(_ arrived: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        // A function that captures this object alone takes no memory of its own.
        self.arrived = arrived
        return service.store.toggle(toggle, character: character, deadline: deadline) { [self] outcome in
            self.outcome = outcome
            self.arrived.take()?()
        }
    }

    func step() throws(RPCError) -> Step {
        switch try service.settled(outcome) {
        case .done(let result): return .last(ToggleFavoriteResponse(result).encoded())
        case .characterNeeded:
            guard let missing else { throw .characterNotFound(toggle.characterID) }
            return try missing()
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
}

extension Toggle {
    fileprivate init(_ request: ToggleFavoriteRequest, of call: borrowing IncomingCall) throws(RPCError) {
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
