package import MarvelDomain

/// `marvel.v1.UpdateCharacterRequest`, as it came: the service judges the values.
package struct UpdateCharacterRequest: Sendable, Hashable {
    /// Nil if the peer did not send one.
    package var character: MarvelCharacter?
    /// The paths of the `google.protobuf.FieldMask`; empty: no mask.
    package var updateMask: [String]
    package var picture: PictureUpload?
    /// What the caller has seen; 0: it does not matter.
    package var editRevision: Int64
    /// Empty: none.
    package var requestID: String

    package init(
        character: MarvelCharacter?,
        updateMask: [String] = [],
        picture: PictureUpload? = nil,
        editRevision: Int64 = 0,
        requestID: String = ""
    ) {
        self.character = character
        self.updateMask = updateMask
        self.picture = picture
        self.editRevision = editRevision
        self.requestID = requestID
    }
}

/// `marvel.v1.UpdateCharacterResponse`.
package struct UpdateCharacterResponse: Sendable, Hashable {
    /// Our server always sends it; nil if the peer did not.
    package var character: MarvelCharacter?
    package var editRevision: Int64
    package var attribution: String

    package init(character: MarvelCharacter?, editRevision: Int64 = 0, attribution: String = "") {
        self.character = character
        self.editRevision = editRevision
        self.attribution = attribution
    }
}
