package import MarvelDomain

/// The message `marvel.v1.ToggleFavoriteRequest`, unchecked: the service validates the values.
package struct ToggleFavoriteRequest: Sendable, Hashable {
    /// The name of the list; empty means the default list.
    package var list: String
    package var characterID: Int64
    /// The id for repeated requests; empty means none.
    package var requestID: String
    package var desired: DesiredValue

    package init(list: String = "", characterID: Int64, requestID: String = "", desired: DesiredValue = .toggle) {
        self.list = list
        self.characterID = characterID
        self.requestID = requestID
        self.desired = desired
    }
}

/// The message `marvel.v1.ToggleFavoriteResponse`.
package struct ToggleFavoriteResponse: Sendable, Hashable {
    /// Whether the character is on the list now.
    package var isFavorite: Bool
    package var revision: Int64
    /// The favorites that were evicted to make room, oldest first.
    package var evicted: [Favorite]
    /// The place of the list after the toggle; empty if the server sends none.
    package var place: String

    package init(isFavorite: Bool, revision: Int64, evicted: [Favorite] = [], place: String = "") {
        self.isFavorite = isFavorite
        self.revision = revision
        self.evicted = evicted
        self.place = place
    }
}
