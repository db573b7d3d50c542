internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Handles `DeleteList`: deletes a list, and answers when the change is on disk.
    func deleteList(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try DeleteListRequest(call)
        let list = try ListName(request: request.list)
        let requestID = try RequestID.read(request.requestID)
        return .later { [store, lists, runtime] () async throws(RPCError) in
            let deletion: ListDeletion
            defer { lists.catchUp() }
            do throws(StoreError) {
                deletion = try await store.delete(list, requestID: requestID, deadline: runtime.storeDeadline)
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
