/// What went wrong, in words for the person who looks at it.
package struct Trouble: Error, Sendable, Hashable {
    /// Whole sentences.
    package var whatHappened: String
    /// Whole sentences; nil where nothing can be done.
    package var whatToDo: String?
    /// Whether the same may work another time: then `r` tries it.
    package var canRetry: Bool
    /// No server could be reached. What failed by it is tried again by itself once one is there.
    package var isConnectionLost: Bool
    /// What was asked for may have been done all the same: no answer came, which is no refusal.
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
