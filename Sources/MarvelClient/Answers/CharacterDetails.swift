public import MarvelDomain
internal import RPCCore
internal import WireMessages

/// A character that was asked for by its id.
public struct CharacterDetails: Sendable, Hashable {
    public var character: MarvelCharacter
    /// Whether it is on the caller's list.
    public var isFavorite: Bool
    /// The line that must be shown with the data.
    public var attribution: String
    public var freshness: DataFreshness
    /// Of the operator's last edit of it; 0 if there is none.
    public var editRevision: Int64

    public init(
        character: MarvelCharacter,
        isFavorite: Bool,
        attribution: String = "",
        freshness: DataFreshness = DataFreshness(),
        editRevision: Int64 = 0
    ) {
        self.character = character
        self.isFavorite = isFavorite
        self.attribution = attribution
        self.freshness = freshness
        self.editRevision = editRevision
    }
}

extension CharacterDetails {
    init(_ response: GetCharacterResponse) throws(RPCError) {
        guard let character = response.character else {
            throw .responseInvalid("the server's answer holds no character")
        }
        self.init(
            character: character,
            isFavorite: response.isFavorite,
            attribution: response.attribution,
            freshness: DataFreshness(response.freshness),
            editRevision: response.editRevision
        )
    }
}
