internal import Access
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Handles `DeleteList`: deletes a list, and answers when the change is on disk.
    func deleteList(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try DeleteListRequest(call)
        let list = try call.list(request.list, for: .writing)
        let key = RequestKey(try RequestID.read(request.requestID), of: call.principal.name)
        return .later { [store, lists, runtime] () async throws(RPCError) in
            let deletion: ListDeletion
            defer { lists.catchUp() }
            do throws(StoreError) {
                deletion = try await store.delete(list, request: key, deadline: runtime.storeDeadline)
            } catch {
                throw RPCError(error)
            }
            let response = DeleteListResponse(
                revision: deletion.revision,
                place: deletion.place?.text ?? "",
                existed: deletion.existed
            )
            return .last(response.encoded())
        }
    }
}
