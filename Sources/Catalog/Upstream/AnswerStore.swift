/// Where answers of one gateway outlive the process. It may forget any of them, and if it fails it has none: what goes
/// wrong is its operator's to know, and no caller's.
package protocol AnswerStore: Sendable {
    /// The answer to the question with that key.
    func answer(to key: String) async -> KeptAnswer?

    /// The last answer that held that character, and the key of its question.
    func answer(holding id: Int64) async -> (key: String, answer: KeptAnswer)?

    /// Returns at once.
    func keep(_ answer: KeptAnswer, to key: String)

    /// The gateway has no such character any more. Returns at once.
    func forgetCharacter(_ id: Int64)
}
