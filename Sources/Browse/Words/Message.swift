internal import MarvelDomain

/// A line that goes by itself, after a while or with the next key.
package struct Message: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case news
        case failure
    }

    package var text: String
    package var kind: Kind
    /// What `r` toggles again while the message is there.
    var retry: MarvelCharacter?

    init(_ text: String, kind: Kind = .news, retry: MarvelCharacter? = nil) {
        self.text = text
        self.kind = kind
        self.retry = retry
    }
}
