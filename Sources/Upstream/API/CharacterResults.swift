package import MarvelDomain

package struct CharacterResults: Sendable, Hashable {
    package var characters: [MarvelCharacter]
    package var offset: Int
    /// The number of entries that the gateway sent, unreadable ones included. The next page starts at `offset +
    /// receivedCount`. 0 ends the results, regardless of `total`.
    package var receivedCount: Int
    /// The number of matches as the gateway reports it, raised if this page proves more. If the gateway reports no
    /// number, it is the end of this page, plus one if the page is full.
    package var total: Int
    /// Attribution text to show with the data; empty if the gateway sent none.
    package var attribution: String
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
