/// The cache in memory of a gateway's answers, by question and by character.
struct AnswerMemory: Sendable {
    private var answers: LeastRecentlyUsed<String, KeptAnswer>
    /// The key of the newest answer that contains each character.
    private var keys: [Int64: String] = [:]
    /// The ids that the gateway answered with "not found", and the times of these answers.
    private var missing: LeastRecentlyUsed<Int64, Moment>

    init(maximumByteCount: Int, maximumMissing: Int = 10_000) {
        answers = LeastRecentlyUsed(maximumCost: maximumByteCount)
        missing = LeastRecentlyUsed(maximumCost: maximumMissing)
    }

    mutating func answer(to key: String) -> KeptAnswer? { answers.use(key) }

    /// Returns the newest answer that contains a character, and the key of its question.
    mutating func answer(holding id: Int64) -> (key: String, answer: KeptAnswer)? {
        guard let key = keys[id], let answer = answers.use(key) else { return nil }
        return (key, answer)
    }

    /// Returns the time at which the gateway answered "not found" for a character; nil if no such answer is cached.
    mutating func missing(_ id: Int64) -> Moment? { missing.use(id) }

    mutating func keep(_ answer: KeptAnswer, to key: String) {
        for (key, evicted) in answers.keep(answer, for: key, cost: answer.byteCount) {
            for id in evicted.ids where keys[id] == key { keys[id] = nil }
        }
        guard answers.use(key) != nil else { return }
        for id in answer.ids {
            missing.remove(id)
            if let other = keys[id].flatMap({ answers.use($0) }), other.fetchedAt > answer.fetchedAt { continue }
            keys[id] = key
        }
    }

    /// Records that the gateway has no such character.
    mutating func keepMissing(_ id: Int64, at moment: Moment) {
        keys[id] = nil
        _ = missing.keep(moment, for: id)
    }
}
