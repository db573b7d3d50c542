package import MarvelDomain

/// One page of characters as a gateway answered it.
package struct CharacterResults: Sendable, Hashable {
    /// Those that could be read, in the gateway's order.
    package var characters: [MarvelCharacter]
    /// As asked.
    package var offset: Int
    /// How many entries the gateway sent, unreadable ones included: the next page starts at `offset + receivedCount`,
    /// and 0 means that there is nothing further, whatever `total` says.
    package var receivedCount: Int
    /// How many match in all, by the gateway's word: never below what this page proves, and not proven beyond it. One
    /// more than there are up to the end of a full page, if the gateway says nothing.
    package var total: Int
    /// The line that must be shown with the data; empty if the gateway sent none.
    package var attribution: String
    /// The answer's validator, exactly as it came (MARVEL_API section 7).
    package var etag: String?

    package init(
        characters: [MarvelCharacter],
        offset: Int,
        receivedCount: Int,
        total: Int,
        attribution: String,
        etag: String?
    ) {
        self.characters = characters
        self.offset = offset
        self.receivedCount = receivedCount
        self.total = total
        self.attribution = attribution
        self.etag = etag
    }
}
