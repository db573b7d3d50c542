package import MarvelDomain

/// The message `marvel.v1.CreateCharacterRequest`, unchecked: the service validates the values.
package struct CreateCharacterRequest: Sendable, Hashable {
    /// Nil if the peer did not send one.
    package var character: MarvelCharacter?
    package var picture: PictureUpload?
    /// The id for repeated requests; empty means none.
    package var requestID: String

    package init(character: MarvelCharacter?, picture: PictureUpload? = nil, requestID: String = "") {
        self.character = character
        self.picture = picture
        self.requestID = requestID
    }
}

/// The message `marvel.v1.CreateCharacterResponse`.
package struct CreateCharacterResponse: Sendable, Hashable {
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
