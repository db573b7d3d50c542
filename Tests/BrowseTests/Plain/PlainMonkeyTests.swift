import Browse
import MarvelDomain
import Testing

/// Whatever a person types, and whatever the server answers.
struct PlainMonkeyTests {
    private static let lines = [
        "", "hero", "thor", "more", "back", "1", "3", "12", "99", "show 2", "show", "f", "s", "recent", "match fuzzy",
        "match word", "match", "r", "?", "x", "\u{1B}[2J", "/more", "\u{7}",
    ]

    @Test(arguments: 1...10)
    func whatAlwaysHoldsHolds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let talk = Conversation(total: [0, 1, 23, 300][Int(seed) % 4], live: seed.isMultiple(of: 3) ? nil : [1, 2])
        var revision: Int64 = 1
        for _ in 1...300 {
            talk.isServed = Bool.random(using: &random)
            let lines = act(on: talk, revision: &revision, &random)
            for line in lines {
                #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
                #expect(!line.isEmpty)
            }
            #expect(Set(lines).count == lines.count, "said twice: \(lines)")
        }
        settle(talk, revision: &revision)
        #expect(!talk.isWaiting)
        #expect(talk.hear { $0.wait(.seconds(60)) } == [])
        talk.isServed = true
        #expect(talk.type("f").first?.contains("favorites") == true)
    }

    private func act(on talk: Conversation, revision: inout Int64, _ random: inout SplitMix64) -> [String] {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return talk.fail(.gone)
        case 1: return talk.fail(FailureNotice("The server is busy.", canRetry: Bool.random(using: &random)))
        case 2: return talk.hear { $0.lose() }
        case 3, 4:
            revision += 1
            let ids = (1...6).filter { _ in Bool.random(using: &random) }.map(Int64.init)
            return talk.hear { [revision] in $0.live(ids, revision: revision) }
        case 5: return talk.hear { $0.wait(.milliseconds(700)) }
        case 6: return talk.hear { $0.serve() }
        case 7: return talk.answer(1, isFavorite: Bool.random(using: &random), revision: revision)
        case 8: return talk.refuse(3, FailureNotice("The disk is full."))
        default: return talk.type(PlainMonkeyTests.lines.randomElement(using: &random) ?? "")
        }
    }

    /// All that is awaited comes.
    private func settle(_ talk: Conversation, revision: inout Int64) {
        revision += 1
        _ = talk.hear { [revision] in $0.live([1], revision: revision) }
        for id in 1...300 as ClosedRange<Int64> {
            let isFavorite = talk.scene.model.isFavorite(id)
            _ = talk.answer(id, isFavorite: isFavorite, revision: revision)
        }
        _ = talk.hear { $0.serve() }
    }
}
