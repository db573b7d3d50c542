import CrashTestChecks
import LongRuns
import MarvelClient
import MarvelDomain

/// One of those who toggle. It knows of every toggle that it sent whether it was answered.
struct ToggleClient: Sendable {
    let choices: ToggleChoices
    let number: Int
    private var random: SplitMix64
    private var sentCount = 0

    /// All that were answered since the last `forget`.
    private(set) var answered: [ListName: [AnsweredToggle]] = [:]
    /// Sent, and not answered yet.
    private(set) var pending: SentToggle?
    private(set) var resentCount = 0
    private(set) var repeatedCount = 0

    init(_ number: Int, choices: ToggleChoices) {
        self.choices = choices
        self.number = number
        random = SplitMix64(seed: choices.seed &+ UInt64(number) &* 0x1000_0001)
    }

    /// Toggles until one fails, or the signs say that it is enough.
    ///
    /// - Throws: An error that the fault does not explain.
    mutating func toggle(
        over client: MarvelClient,
        _ signs: CrowdSigns,
        timeout: Duration,
        under fault: FaultKind
    ) async throws {
        defer { signs.ended() }
        for count in 0..<choices.maximumToggles where !signs.isStopping {
            let toggle = nextToggle()
            pending = toggle
            do {
                let answer = try await client.send(toggle, timeout: timeout)
                answered(toggle, answer)
            } catch {
                guard fault.explains(error) else { throw error }
                return
            }
            signs.answered()
            if count == 0 { signs.begun() }
        }
    }

    /// Sends what was not answered until it is.
    mutating func sendAgain(over client: MarvelClient) async throws {
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
    mutating func repeatSome(over client: MarvelClient) async throws {
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
    mutating func forget() {
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
