/// All edits of one character, merged.
package struct EditedCharacter: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// The operator created the character: no source had it, and its name is in the edit.
        case created
        case edited
        case reverted
    }

    /// The ids of created characters.
    ///
    /// They are above all ids of Marvel's, of the synthetic catalog and of imports. They fit into 32 bits, because old
    /// apps expect that.
    package static let createdIDs: ClosedRange<Int64> = 1_000_000_000...1_999_999_999

    package var id: Int64
    package var kind: Kind
    package var edit: CharacterEdit
    /// The format of the edit's picture; nil if the edit has no picture.
    package var pictureType: PictureType?
    package var editedAt: Timestamp
    /// The revision of the last edit, above the revisions of all earlier edits of any character.
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

    /// Applies the edits to a character.
    ///
    /// - Parameter base: The source's character; nil if the source does not have it.
    /// - Returns: The edited character; nil if the source no longer has it. Its edits reappear with the character.
    package func applied(to base: MarvelCharacter?) -> MarvelCharacter? {
        guard kind != .reverted else { return base }
        guard var character = base ?? created else { return nil }
        edit.apply(to: &character)
        character.modified = max(base?.modified ?? editedAt, editedAt)
        // A path without a host: the service itself serves the picture.
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
