package import MarvelDomain

/// The message `marvel.v1.UpdateCharacterRequest`, unchecked: the service validates the values.
package struct UpdateCharacterRequest: Sendable, Hashable {
    /// Nil if the peer did not send one.
    package var character: MarvelCharacter?
    /// The paths of the `google.protobuf.FieldMask`; empty means that there is no mask.
    package var updateMask: [String]
    package var picture: PictureUpload?
    /// The revision of the last edit that the caller has seen; 0 means that it is not checked.
    package var editRevision: Int64
    /// The id for repeated requests; empty means none.
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

/// The message `marvel.v1.UpdateCharacterResponse`.
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
