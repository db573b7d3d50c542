package import MarvelDomain

/// A toggle that a client sent until it was answered, and what it was told.
package struct AnsweredToggle: Sendable {
    package var requestID: RequestID
    package var characterID: Int64
    package var wish: DesiredFavorite
    /// The time at which it was first sent, by any clock that never goes back.
    package var sent: Int64
    /// The time of its first answer, by the same clock.
    package var answered: Int64
    /// The answers to each sending of it, in order. Never empty.
    package private(set) var answers: [ToggleResult]

    package init(
        _ requestID: RequestID,
        _ wish: DesiredFavorite,
        _ characterID: Int64,
        sent: Int64,
        answered: Int64,
        answer: ToggleResult
    ) {
        self.requestID = requestID
        self.characterID = characterID
        self.wish = wish
        self.sent = sent
        self.answered = answered
        answers = [answer]
    }

    package var answer: ToggleResult { answers[0] }

    /// It was sent once more with the same request id, and answered again.
    package mutating func repeated(_ answer: ToggleResult) { answers.append(answer) }
}

/// A deletion of the list that a client sent until it was answered, and what it was told.
package struct AnsweredDeletion: Sendable {
    package var requestID: RequestID
    /// The time at which it was first sent, by the clock of the toggles.
    package var sent: Int64
    /// The time of its first answer.
    package var answered: Int64
    package var answer: ListDeletion

    package init(_ requestID: RequestID, sent: Int64, answered: Int64, answer: ListDeletion) {
        self.requestID = requestID
        self.sent = sent
        self.answered = answered
        self.answer = answer
    }
}
