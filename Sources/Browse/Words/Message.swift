/// What is told until the next key or click; news go by themselves, after a while.
package struct Message: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case news
        case failure
    }

    package var text: String
    package var kind: Kind
    /// What `r` asks for again while the message is there. Once it is so, there is nothing more to say.
    var retry: FavoriteWish?
    /// Whether it tells of something that `u` takes back.
    var isUndoable = false

    init(_ text: String, kind: Kind = .news, retry: FavoriteWish? = nil) {
        self.text = text
        self.kind = kind
        self.retry = retry
    }
}
