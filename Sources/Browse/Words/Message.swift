/// A message that is shown until the next key or click. A message of kind `info` also disappears after a timeout.
package struct Message: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case info
        case failure
    }

    package var text: String
    package var kind: Kind
    /// The change that `r` requests again while the message is shown. The message is hidden once the list shows the
    /// change.
    var retry: FavoriteChange?
    /// Whether the message reports a change that `u` undoes.
    var isUndoable = false

    init(_ text: String, kind: Kind = .info, retry: FavoriteChange? = nil) {
        self.text = text
        self.kind = kind
        self.retry = retry
    }
}
