package import MarvelDomain

/// Where the operator's edits outlive every process, apart from every catalog. Several programs may write there.
///
/// A store tells the operator itself why it cannot be read: its errors have no details.
package protocol EditStore: Sendable {
    /// What has been edited after a revision, oldest first; 0: all there is.
    ///
    /// - Throws: `EditError.notReadable`.
    func edits(after revision: Int64) async throws(EditError) -> [EditedCharacter]

    /// Writes one edit.
    ///
    /// - Parameters:
    ///   - order: What to write; its fields keep the rules.
    ///   - isTaken: Whether a source has a character of that id: no created one gets it.
    /// - Returns: What the edits of the character have come to, once that is on disk. An order that changes nothing is
    ///   answered with what there is.
    /// - Throws: `EditError`; then nothing changed.
    func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(EditError) -> EditedCharacter

    /// The picture that is kept with the edit of a character, or nil.
    ///
    /// - Throws: `EditError.notReadable`.
    func picture(of id: Int64) async throws(EditError) -> Picture?

    /// Whether another program has written since this was asked last. Cheap: it is asked every second.
    func wasChangedByOthers() async -> Bool
}

/// One edit, as an operator wishes it.
package struct EditOrder: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        /// A new character; nil: of an id that the store picks from `EditedCharacter.createdIDs`.
        case new(Int64?)
        /// One that a source has, or that was created.
        case existing(Int64)
        /// One whose edits are taken back; one that was created is gone then.
        case reverted(Int64)
    }

    package enum PictureChange: Sendable, Hashable {
        case set(Picture)
        /// The source's picture shows again.
        case remove
    }

    package var target: Target
    package var edit: CharacterEdit
    /// Nil: the picture stays as it is.
    package var picture: PictureChange?
    /// What the last edit of the character must be, to overwrite none unseen; nil: it does not matter.
    package var expectedRevision: Int64?
    package var requestID: RequestID?

    package init(
        _ target: Target,
        _ edit: CharacterEdit = CharacterEdit(),
        picture: PictureChange? = nil,
        expectedRevision: Int64? = nil,
        requestID: RequestID? = nil
    ) {
        self.target = target
        self.edit = edit
        self.picture = picture
        self.expectedRevision = expectedRevision
        self.requestID = requestID
    }
}

/// Why an edit was not made, or cannot be read. Details (paths, SQL) go to the log, not in here.
package enum EditError: Error, Sendable, Hashable {
    /// There is a character of that id already.
    case exists(Int64)
    /// The character was edited meanwhile: its last edit is `current`, 0 if there is none.
    case conflict(current: Int64)
    /// The same request id came before with other contents.
    case requestIDReused
    /// As many characters are edited as the store takes.
    case limitReached(maximum: Int)
    /// The disk is full or failing, or the file is read-only.
    case notWritable(String)
    case notReadable(String)
}
