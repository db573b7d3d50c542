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

/// A failure in words for the user.
package struct FailureNotice: Error, Sendable, Hashable {
    /// A description of the failure in whole sentences.
    package var whatHappened: String
    /// Advice in whole sentences; nil if the user can do nothing.
    package var whatToDo: String?
    /// Whether a retry may succeed. Then `r` retries.
    package var canRetry: Bool
    /// Whether no server could be reached. The failed request is retried automatically once a server is reachable.
    package var isConnectionLost: Bool
    /// Whether the request may have been carried out although it failed, because no answer arrived.
    package var mayHaveHappened: Bool

    package init(
        _ whatHappened: String,
        whatToDo: String? = nil,
        canRetry: Bool = true,
        isConnectionLost: Bool = false,
        mayHaveHappened: Bool = false
    ) {
        self.whatHappened = whatHappened
        self.whatToDo = whatToDo
        self.canRetry = canRetry
        self.isConnectionLost = isConnectionLost
        self.mayHaveHappened = mayHaveHappened
    }

    package var text: String { [whatHappened, whatToDo].compactMap(\.self).joined(separator: " ") }
}
