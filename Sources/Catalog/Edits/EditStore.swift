package import MarvelDomain

/// A durable store of the operator's edits, separate from every catalog. Several servers may write to it.
///
/// The store itself reports to the operator why it cannot be read, and which edits are damaged; its errors have no details.
package protocol EditStore: Sendable {
    /// Returns the characters that were edited after a revision, oldest first; all edited characters for revision 0. A
    /// damaged edit is left out, and its character is not edited any more.
    ///
    /// - Throws: `EditError.notReadable`.
    func edits(after revision: Int64) async throws(EditError) -> [EditedCharacter]

    /// Writes one edit.
    ///
    /// - Parameters:
    ///   - order: The edit to write. Its fields must keep the rules.
    ///   - isTaken: Returns whether a source has a character with an id, so that no created character gets it.
    /// - Returns: All edits of the character merged, after they are on disk. For an order that changes nothing, the
    ///   current state is returned.
    /// - Throws: `EditError`. After `.outcomeUnknown` the edit may have been made; after any other error nothing changed. An
    ///   order with a request id is carried out once, however often it is written.
    func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(EditError) -> EditedCharacter

    /// Returns the picture of a character's edit; nil if there is none.
    ///
    /// - Throws: `EditError.notReadable`.
    func picture(of id: Int64) async throws(EditError) -> Picture?

    /// Returns the change of the store by other servers since the last call. It is called every second, so it must be
    /// cheap.
    func changeByOthers() async -> EditStoreChange
}

/// A change of a store of edits by other servers. A later case includes the ones before it.
package enum EditStoreChange: Int, Sendable, Comparable {
    case none
    /// Edits were written.
    case written
    /// The store was replaced by an earlier state of it: edits that were read may be missing, or have others in their
    /// place.
    case replaced

    package static func < (a: EditStoreChange, b: EditStoreChange) -> Bool { a.rawValue < b.rawValue }
}

/// An operator's request to edit one character.
package struct EditOrder: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        /// A new character with this id; for nil the store picks an id from `EditedCharacter.createdIDs`.
        case new(Int64?)
        /// A character that a source has, or that was created.
        case existing(Int64)
        /// A character whose edits are undone. A created character is deleted by this.
        case reverted(Int64)
    }

    package enum PictureChange: Sendable, Hashable {
        case set(Picture)
        /// The source's picture is shown again.
        case remove
    }

    package var target: Target
    package var edit: CharacterEdit
    /// The change of the picture; nil if it stays as it is.
    package var picture: PictureChange?
    /// The revision that the last edit of the character must have, so that no unseen edit is overwritten; nil for any.
    package var expectedRevision: Int64?
    /// The key under which a repeat gets the same answer; nil if there is none.
    package var request: RequestKey?

    package init(
        _ target: Target,
        _ edit: CharacterEdit = CharacterEdit(),
        picture: PictureChange? = nil,
        expectedRevision: Int64? = nil,
        request: RequestKey? = nil
    ) {
        self.target = target
        self.edit = edit
        self.picture = picture
        self.expectedRevision = expectedRevision
        self.request = request
    }
}

/// A failure of an edit store. Details (paths, SQL) are logged and not part of the error.
package enum EditError: Error, Sendable, Hashable {
    /// There is a character with that id already.
    case exists(Int64)
    /// The character was edited meanwhile: `current` is the revision of its last edit, 0 if there is none.
    case conflict(current: Int64)
    /// The request id was used before for a different request.
    case requestIDReused
    /// The maximum number of edited characters is reached.
    case limitReached(maximum: Int)
    /// The disk is full or failing, or the store is read-only. Nothing was changed.
    case notWritable(String)
    case notReadable(String)
    /// The commit failed, or its connection was lost, so that the edit may have been made. A repeat with the same request id
    /// gets its answer, or makes it.
    case outcomeUnknown(String)
}

extension EditError {
    package init(writing error: StoreError) {
        switch error {
        case .outcomeUnknown(let text): self = .outcomeUnknown(text)
        default: self = .notWritable(error.text)
        }
    }

    package init(reading error: StoreError) { self = .notReadable(error.text) }

    package init(_ damage: DamagedEdit) { self = .notReadable("\(damage)") }
}

/// An error: the edit of one character differs from what was written. It is refused, and others are not.
package struct DamagedEdit: Error, Hashable, CustomStringConvertible {
    package var characterID: Int64

    package init(of characterID: Int64) { self.characterID = characterID }

    package var description: String { "the edit of character \(characterID) is not as it was written" }
}

extension StoreError {
    /// The text for callers.
    fileprivate var text: String {
        switch self {
        case .unavailable(let text), .notWritable(let text), .notReadable(let text), .outcomeUnknown(let text): text
        case .overloaded: "too many calls wait for the store"
        case .requestIDReused, .listLimitReached, .ownedListLimitReached, .deadlineExceeded, .cancelled:
            "the store was not asked"
        }
    }
}
