package import MarvelDomain

/// All that the operator's edits of one character have come to.
package struct EditedCharacter: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// No source had it; its name is in the edit.
        case created
        /// A source has it, or had it.
        case edited
        /// It was edited, and that was taken back.
        case reverted
    }

    /// What the server gives to characters that are created: above all ids of Marvel's, of the synthetic catalog and of
    /// imports, and a 32-bit integer, as old apps expect it.
    package static let createdIDs: ClosedRange<Int64> = 1_000_000_000...1_999_999_999

    package var id: Int64
    package var kind: Kind
    package var edit: CharacterEdit
    /// Of the picture that is kept with the edit; nil if there is none.
    package var pictureType: PictureType?
    package var editedAt: Timestamp
    /// Of the last edit: above those of all edits before it, of any character.
    package var revision: Int64

    package init(
        id: Int64,
        kind: Kind,
        edit: CharacterEdit,
        pictureType: PictureType? = nil,
        editedAt: Timestamp,
        revision: Int64
    ) {
        self.id = id
        self.kind = kind
        self.edit = edit
        self.pictureType = pictureType
        self.editedAt = editedAt
        self.revision = revision
    }

    /// The character as it is to be shown.
    ///
    /// - Parameter base: As the catalog's source has it; nil if it has none of that id.
    /// - Returns: Nil if there is none: a source that lost a character takes its edits out of sight, and they come back
    ///   with it.
    package func laid(over base: MarvelCharacter?) -> MarvelCharacter? {
        guard kind != .reverted else { return base }
        guard var character = base ?? created else { return nil }
        edit.apply(to: &character)
        character.modified = max(base?.modified ?? editedAt, editedAt)
        // A path without a host says that the service has the picture.
        if let pictureType {
            character.thumbnail = Thumbnail(path: "picture/\(id)", fileExtension: pictureType.fileExtension)
        }
        return character
    }

    private var created: MarvelCharacter? {
        kind == .created ? MarvelCharacter(id: id, name: "", thumbnail: .emblem(of: id)) : nil
    }
}

extension PictureType {
    fileprivate var fileExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .gif: "gif"
        }
    }
}
