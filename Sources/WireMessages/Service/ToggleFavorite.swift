package import MarvelDomain

/// `marvel.v1.ToggleFavoriteRequest`, as it came: the service judges the values.
package struct ToggleFavoriteRequest: Sendable, Hashable {
    /// Empty: the default list.
    package var list: String
    package var characterID: Int64
    /// Empty: none.
    package var requestID: String
    package var desired: DesiredValue

    package init(list: String = "", characterID: Int64, requestID: String = "", desired: DesiredValue = .toggle) {
        self.list = list
        self.characterID = characterID
        self.requestID = requestID
        self.desired = desired
    }
}

/// `marvel.v1.ToggleFavoriteResponse`.
package struct ToggleFavoriteResponse: Sendable, Hashable {
    /// Whether the character is on the list now.
    package var isFavorite: Bool
    package var revision: Int64
    /// What had to leave to make room, oldest first.
    package var evicted: [Favorite]
    /// Empty from a server that tells none.
    package var place: String

    package init(isFavorite: Bool, revision: Int64, evicted: [Favorite] = [], place: String = "") {
        self.isFavorite = isFavorite
        self.revision = revision
        self.evicted = evicted
        self.place = place
    }
}
