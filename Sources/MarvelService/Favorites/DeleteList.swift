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
        return changing { [store] in
            store.delete(list, request: key, deadline: deadline, answer: $0)
        } answer: { deletion in
            .last(DeleteListResponse(deletion).encoded())
        }
    }
}

extension DeleteListResponse {
    fileprivate init(_ deletion: ListDeletion) {
        self.init(revision: deletion.revision, place: deletion.place?.text ?? "", existed: deletion.existed)
    }
}
