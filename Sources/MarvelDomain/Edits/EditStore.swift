/// A durable store of the operator's edits, separate from every catalog. Several servers may write to it.
///
/// The store logs the reasons of read failures and the damaged edits; its errors have no details.
package protocol EditStore: Sendable {
    func edits(after revision: Int64) async throws(StoreError) -> [EditedCharacter]

    /// Writes one edit.
    ///
    /// - Parameters:
    ///   - order: The edit to write. Its fields must keep the rules.
    ///   - isTaken: Returns whether a source has a character with an id, so that no created character gets it.
    /// - Returns: All edits of the character merged, after they are on disk. For an order that changes nothing, the
    ///   current state is returned.
    /// - Throws: `StoreError`. After `.outcomeUnknown` the store may contain the edit; after any other error it is
    ///   unchanged. A repeated order with the same request id has no second effect.
    func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(StoreError) -> EditedCharacter

    /// Returns the picture of a character's edit; nil if the edit has no picture.
    ///
    /// - Throws: `StoreError.notReadable`.
    func picture(of id: Int64) async throws(StoreError) -> Picture?

    /// Returns the changes that other servers made since the last call. It must be cheap: the server calls it every
    /// second.
    func changeByOthers() async -> EditStoreChange
}

/// A change of an edit store by other servers. A later case includes the ones before it.
package enum EditStoreChange: Int, Sendable, Comparable {
    case none
    case written
    /// The store was replaced by an earlier state: edits that were read may be missing or different.
    case replaced

    package static func < (a: EditStoreChange, b: EditStoreChange) -> Bool { a.rawValue < b.rawValue }
}

package struct EditOrder: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        /// A new character with this id; for nil the store picks an id from `EditedCharacter.createdIDs`.
        case new(Int64?)
        /// A character that a source has, or that was created.
        case existing(Int64)
        /// A character whose edits are undone. This deletes a created character.
        case reverted(Int64)
        /// A character whose edits are replaced by those of another store.
        case imported(Int64, EditedCharacter.Kind, at: Timestamp)
    }

    package enum PictureChange: Sendable, Hashable {
        case set(Picture)
        /// The source's picture is shown again.
        case remove
    }

    package var target: Target
    package var edit: CharacterEdit
    /// The change of the picture; nil keeps it.
    package var picture: PictureChange?
    /// The expected revision of the character's last edit; nil for any. It prevents overwriting unseen edits.
    package var expectedRevision: Int64?
    /// The key under which a repeat gets the same answer; nil for no such protection.
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

/// An error: the stored edit of one character is corrupt. Other edits stay usable.
package struct DamagedEdit: Error, Hashable, CustomStringConvertible {
    package var characterID: Int64

    package init(of characterID: Int64) { self.characterID = characterID }

    package var description: String { "the edit of character \(characterID) does not match its checksum" }
}

extension StoreError {
    package static func damaged(_ edit: DamagedEdit) -> StoreError { .notReadable("\(edit)") }
}
