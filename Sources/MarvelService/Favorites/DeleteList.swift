internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// The deletion begins immediately, so that toggles keep their order with it.
    func deleteList(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try DeleteListRequest(call)
        let list = try call.list(request.list, for: .writing)
        let key = RequestKey(try RequestID.read(request.requestID), of: call.principal.name)
        let deadline = runtime.storeDeadline(of: call.deadline)
        return .pending(DeletionStep(of: list, key, by: deadline, in: self))
    }
}

/// `@unchecked Sendable`: the store calls back once, and hands the object on to the event loop by `arrived`.
private final class DeletionStep: PendingStep, @unchecked Sendable {
    private let list: ListName
    private let key: RequestKey?
    private let deadline: ContinuousClock.Instant?
    private let service: CharacterService
    private var deletion: Result<ListDeletion, StoreError> = .failure(.outcomeUnknown("the store has not answered"))

    init(of list: ListName, _ key: RequestKey?, by deadline: ContinuousClock.Instant?, in service: CharacterService) {
        (self.list, self.key, self.deadline, self.service) = (list, key, deadline, service)
    }

    func begin(_ arrived: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        service.store.delete(list, request: key, deadline: deadline) { [self] deletion in
            self.deletion = deletion
            arrived()
        }
    }

    func step() throws(RPCError) -> Step { .last(DeleteListResponse(try service.settled(deletion)).encoded()) }
}

extension DeleteListResponse {
    fileprivate init(_ deletion: ListDeletion) {
        self.init(revision: deletion.revision, place: deletion.place?.text ?? "", existed: deletion.existed)
    }
}
