public import MarvelDomain
internal import RPCCore
internal import WireMessages

public struct CharacterDetails: Sendable, Hashable {
    public var character: MarvelCharacter
    /// Whether the character is on the caller's list.
    public var isFavorite: Bool
    /// Attribution text to show with the data.
    public var attribution = ""
    public var freshness = DataFreshness()
    /// The revision of the operator's last edit of the character; 0 if it was never edited.
    public var editRevision: Int64 = 0
}

extension CharacterDetails {
    init(_ response: GetCharacterResponse) throws(RPCError) {
        guard let character = response.character else {
            throw .responseInvalid("the server's answer has no character")
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
