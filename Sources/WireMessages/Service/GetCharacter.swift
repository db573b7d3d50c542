package import MarvelDomain

/// The message `marvel.v1.GetCharacterRequest`.
package struct GetCharacterRequest: Sendable, Hashable {
    package var id: Int64
    /// The name of the list; empty means the default list.
    package var list: String

    package init(id: Int64, list: String = "") {
        self.id = id
        self.list = list
    }
}

/// The message `marvel.v1.GetCharacterResponse`.
package struct GetCharacterResponse: Sendable, Hashable {
    /// Our server always sends it; nil if the peer did not.
    package var character: MarvelCharacter?
    package var isFavorite: Bool
    package var attribution: String
    package var freshness: Freshness
    /// The revision of the operator's last edit; 0 if there is none.
    package var editRevision: Int64

    package init(
        character: MarvelCharacter?,
        isFavorite: Bool = false,
        attribution: String = "",
        freshness: Freshness = Freshness(),
        editRevision: Int64 = 0
    ) {
        self.character = character
        self.isFavorite = isFavorite
        self.attribution = attribution
        self.freshness = freshness
        self.editRevision = editRevision
    }
}
