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
