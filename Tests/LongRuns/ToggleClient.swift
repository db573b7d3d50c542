package import CrashTestChecks
package import MarvelClient
package import MarvelDomain

/// One of those who toggle. It knows of every toggle that it sent whether it was answered.
package struct ToggleClient: Sendable {
    package let choices: ToggleChoices
    package let number: Int
    private var random: SplitMix64
    private var sentCount = 0

    /// All that were answered since the last `forget`.
    package private(set) var answered: [ListName: [AnsweredToggle]] = [:]
    /// Sent, and not answered yet.
    package private(set) var pending: SentToggle?
    package private(set) var resentCount = 0
    package private(set) var repeatedCount = 0

    package init(_ number: Int, choices: ToggleChoices) {
        self.choices = choices
        self.number = number
        random = SplitMix64(seed: choices.seed &+ UInt64(number) &* 0x1000_0001)
    }

    /// Toggles until one fails, or the signs say that it is enough.
    ///
    /// - Parameters:
    ///   - client: The client to toggle with.
    ///   - signs: The signs between all who toggle.
    ///   - timeout: The timeout of a toggle.
    ///   - isExpected: Returns whether an error is one that the fault explains.
    /// - Throws: An error that the fault does not explain.
    package mutating func toggle(
        over client: MarvelClient,
        _ signs: CrowdSigns,
        timeout: Duration,
        expecting isExpected: @Sendable (RPCError) -> Bool
    ) async throws {
        defer { signs.ended() }
        for count in 0..<choices.maximumToggles where !signs.isStopping {
            let toggle = nextToggle()
            pending = toggle
            do {
                let answer = try await client.send(toggle, timeout: timeout)
                answered(toggle, answer)
            } catch {
                guard isExpected(error) else { throw error }
                return
            }
            signs.answered()
            if count == 0 { signs.begun() }
        }
    }

    /// Sends what was not answered until it is.
    package mutating func sendAgain(over client: MarvelClient) async throws {
        guard let pending else { return }
        let end = ContinuousClock.now + .seconds(30)
        while self.pending != nil {
            resentCount += 1
            do {
                let answer = try await client.send(pending, timeout: .seconds(10))
                answered(pending, answer)
            } catch {
                guard error.code == .unavailable, ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Sends some that were answered once more: one in eight.
    package mutating func repeatSome(over client: MarvelClient) async throws {
        for (list, toggles) in answered {
            for (index, toggle) in toggles.enumerated() where Int.random(in: 0..<8, using: &random) == 0 {
                let again = SentToggle(
                    toggle.requestID,
                    list: list,
                    characterID: toggle.characterID,
                    wish: toggle.wish
                )
                let answer = try await client.send(again, timeout: .seconds(10))
                answered[list]?[index].repeated(answer)
                repeatedCount += 1
            }
        }
    }

    /// Forgets what was compared.
    package mutating func forget() {
        answered = [:]
        resentCount = 0
        repeatedCount = 0
    }

    private mutating func answered(_ toggle: SentToggle, _ answer: ToggleResult) {
        answered[toggle.list, default: []].append(toggle.answered(answer))
        pending = nil
    }

    private mutating func nextToggle() -> SentToggle {
        sentCount += 1
        return choices.toggle("\(number)-\(sentCount)", using: &random)
    }
}
