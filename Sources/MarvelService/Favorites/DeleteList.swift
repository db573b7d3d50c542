internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Answers when the change is on disk. The deletion begins immediately, so that toggles keep their order with it.
    func deleteList(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try DeleteListRequest(call)
        let list = try call.list(request.list, for: .writing)
        let key = RequestKey(try RequestID.read(request.requestID), of: call.principal.name)
        let deadline = runtime.storeDeadline(of: call.deadline)
        return .pending(DeletionStep(of: list, key, by: deadline, in: self))
    }
}

/// `@unchecked Sendable`: it adds constants to a `ChangeStep`, which has the reason.
private final class DeletionStep: ChangeStep<ListDeletion>, @unchecked Sendable {
    private let list: ListName
    private let key: RequestKey?
    private let deadline: ContinuousClock.Instant?

    init(of list: ListName, _ key: RequestKey?, by deadline: ContinuousClock.Instant?, in service: CharacterService) {
        (self.list, self.key, self.deadline) = (list, key, deadline)
        super.init(in: service)
    }

    override func change(
        _ answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        service.store.delete(list, request: key, deadline: deadline, answer: answer)
    }

    override func answer(_ deletion: ListDeletion) -> Step { .last(DeleteListResponse(deletion).encoded()) }
}

extension DeleteListResponse {
    fileprivate init(_ deletion: ListDeletion) {
        self.init(revision: deletion.revision, place: deletion.place?.text ?? "", existed: deletion.existed)
    }
}
