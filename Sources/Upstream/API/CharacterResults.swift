package import MarvelDomain

/// One page of characters from a gateway's response.
package struct CharacterResults: Sendable, Hashable {
    /// The readable characters, in the gateway's order.
    package var characters: [MarvelCharacter]
    /// The number of characters that the request skips.
    package var offset: Int
    /// The number of entries that the gateway sent, unreadable ones included.
    /// The next page starts at `offset + receivedCount`. 0 means that there are no more, whatever `total` says.
    package var receivedCount: Int
    /// The number of matches in all, as the gateway reports it: never below what this page proves, and not verified
    /// beyond this page. If the gateway reports none, it is the end of this page, plus one if the page is full.
    package var total: Int
    /// The line that must be shown with the data; empty if the gateway sent none.
    package var attribution: String
    /// The response's validator, exactly as received.
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
