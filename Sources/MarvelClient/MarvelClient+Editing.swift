public import MarvelDomain
public import RPCCore
internal import WireMessages

/// Edits of the catalog, for operators and curators. A server accepts them only if its operator allows it.
extension MarvelClient {
    /// Adds a character to the catalog. When this returns, the character is on the server's disk, and searches find it.
    ///
    /// The call carries a request id: a retry with the same id makes no second character.
    ///
    /// - Parameters:
    ///   - changes: The fields of the character; at least a name.
    ///   - id: The character's number; nil lets the server choose.
    ///   - requestID: The request id to send; nil for a new one.
    ///   - timeout: The timeout of the call.
    /// - Returns: The new character.
    /// - Throws: INVALID_ARGUMENT (CHARACTER_INVALID) with all violations, ALREADY_EXISTS, PERMISSION_DENIED
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

    /// Changes a character for everyone: in searches, and in each list that contains it. Fields that were never edited
    /// still come from the catalog's source.
    ///
    /// - Parameters:
    ///   - id: The character's number.
    ///   - changes: The fields to set.
    ///   - editRevision: The revision of the last edit that the caller has seen, to prevent overwriting later edits;
    ///     nil overwrites.
    ///   - requestID: The request id to send; nil for a new one.
    ///   - timeout: The timeout of the call.
    /// - Returns: The character after the change.
    /// - Throws: NOT_FOUND, ABORTED (EDIT_CONFLICT), and the errors of `createCharacter`.
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
