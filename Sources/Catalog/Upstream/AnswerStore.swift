/// A durable cache of one gateway's answers.
///
/// It may evict any answer. If it fails, it behaves as if it were empty, and logs the failure: callers get no errors.
package protocol AnswerStore: Sendable {
    /// Returns the answer to the question with a key.
    func answer(to key: String) async -> KeptAnswer?

    /// Returns the newest answer that contains a character, and the key of its question.
    func answer(holding id: Int64) async -> (key: String, answer: KeptAnswer)?

    /// Stores an answer. Returns at once.
    func keep(_ answer: KeptAnswer, to key: String)

    /// Removes a character that the gateway no longer has. Returns at once.
    func forgetCharacter(_ id: Int64)
}
