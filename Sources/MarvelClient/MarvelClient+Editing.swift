public import MarvelDomain
public import RPCCore
internal import WireMessages

/// For operators and curators: servers take edits only where their operator allows it.
extension MarvelClient {
    /// Adds a character to the catalog. It is on the server's disk, and found by searches, when this returns.
    ///
    /// The call carries a request id, so that it can be sent again: whoever repeats it with the same id makes no second
    /// character.
    ///
    /// - Parameters:
    ///   - changes: What is to be said of it; a name at least.
    ///   - id: Its number; nil leaves it to the server.
    ///   - requestID: The id to send; a new one is made if it is nil.
    ///   - timeout: How long the call may take.
    /// - Returns: The character as it is shown.
    /// - Throws: INVALID_ARGUMENT (CHARACTER_INVALID) with all that is wrong, ALREADY_EXISTS, PERMISSION_DENIED
    ///   (EDITS_NOT_ALLOWED), FAILED_PRECONDITION (EDITS_UNSUPPORTED).
    public func createCharacter(
        _ changes: CharacterChanges,
        id: Int64? = nil,
        requestID: RequestID? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterEditResult {
        let request = CreateCharacterRequest(
            character: changes.character(id: id ?? 0),
            picture: changes.upload,
            requestID: (requestID ?? .random()).text
        )
        let response = try await call(MarvelServiceMethods.createCharacter, request, timeout)
        return try CharacterEditResult(response.character, response.editRevision, response.attribution)
    }

    /// Changes a character, for everyone: searches, and each list that holds it. What was never said of it here goes on
    /// coming from the catalog's source.
    ///
    /// - Parameters:
    ///   - id: The character's number.
    ///   - changes: What is to be said of it.
    ///   - editRevision: The last edit that the caller has seen, to overwrite no other one; nil overwrites.
    ///   - requestID: The id to send; a new one is made if it is nil.
    ///   - timeout: How long the call may take.
    /// - Returns: The character as it is shown.
    /// - Throws: NOT_FOUND, ABORTED (EDIT_CONFLICT), and what `createCharacter` throws.
    public func updateCharacter(
        _ id: Int64,
        _ changes: CharacterChanges,
        editRevision: Int64? = nil,
        requestID: RequestID? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterEditResult {
        let request = UpdateCharacterRequest(
            character: changes.character(id: id),
            updateMask: changes.mask,
            picture: changes.upload,
            editRevision: editRevision ?? 0,
            requestID: (requestID ?? .random()).text
        )
        let response = try await call(MarvelServiceMethods.updateCharacter, request, timeout)
        return try CharacterEditResult(response.character, response.editRevision, response.attribution)
    }
}
