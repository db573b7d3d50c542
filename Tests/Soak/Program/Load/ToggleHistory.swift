import CrashTestChecks
import LongRuns
import MarvelClient
import MarvelDomain
import Synchronization

/// Every toggle of one server's lists since they were last found to be right, and the watchers that follow them.
final class ToggleHistory: Sendable {
    /// Fewer than the server keeps changes of a list.
    static let maximumPerList = 400
    /// An answer is repeated only while it is that young: a server need not keep it for longer than two minutes.
    private static let repeatLimit = Duration.seconds(90)

    private struct EarlierToggle {
        let list: ListName
        let toggle: AnsweredToggle
        let moment: ContinuousClock.Instant
    }

    private struct State {
        var random: SplitMix64
        var bases: [ListName: FavoritesList] = [:]
        var sent: [ListName: Int] = [:]
        var answered: [ListName: [AnsweredToggle]] = [:]
        var earlierToggles: [EarlierToggle] = []
        var count = 0
    }

    let lists: [ListName]
    private let characterIDs: [Int64]
    private let seed: UInt64
    private let state: Mutex<State>

    /// - Parameters:
    ///   - lists: The lists that are toggled; nobody else may.
    ///   - characterIDs: More than a list holds.
    ///   - seed: Decides what is toggled.
    init(lists: [ListName], characterIDs: [Int64], seed: UInt64) {
        self.lists = lists
        self.characterIDs = characterIDs
        self.seed = seed
        state = Mutex(State(random: SplitMix64(seed: seed)))
    }

    /// Toggles once, and again with the same id until there is an answer; one in eight is then repeated.
    ///
    /// - Throws: An error that waiting does not mend, or an answer that a repeat did not get again.
    func toggle(over client: MarvelClient) async throws {
        guard let toggle = next() else { return }
        var answered = toggle.answered(try await send(toggle, over: client))
        if isRepeated { answered.repeated(try await send(toggle, over: client)) }
        state.withLock { state in
            state.answered[toggle.list, default: []].append(answered)
            state.count += 1
        }
    }

    var count: Int { state.withLock(\.count) }

    private var isRepeated: Bool { state.withLock { Int.random(in: 0..<8, using: &$0.random) == 0 } }

    private func next() -> SentToggle? {
        state.withLock { state in
            guard let list = lists.randomElement(using: &state.random),
                let characterID = characterIDs.randomElement(using: &state.random),
                let wish = AnsweredToggle.Wish.allCases.randomElement(using: &state.random),
                let id = RequestID("\(String(seed, radix: 36))-\(UInt64.random(in: 0 ... .max, using: &state.random))"),
                state.sent[list, default: 0] < ToggleHistory.maximumPerList
            else { return nil }
            state.sent[list, default: 0] += 1
            return SentToggle(id, list: list, characterID: characterID, wish: wish)
        }
    }

    private func send(_ toggle: SentToggle, over client: MarvelClient) async throws -> ToggleResult {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await client.send(toggle, timeout: .seconds(10))
            } catch {
                guard error.code == .deadlineExceeded || error.code == .unavailable, ContinuousClock.now < end else {
                    throw error
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    // MARK: Comparing

    /// Makes the lists, and says where they are.
    func makeLists(over client: MarvelClient) async throws -> [ListFollower] {
        var followers: [ListFollower] = []
        for list in lists {
            _ = try await client.toggleFavorite(characterIDs[0], desired: .saved, list: list)
            let base = try await client.favorites(list: list).list
            state.withLock { $0.bases[list] = base }
            followers.append(ListFollower(list, at: base.revision))
        }
        return followers
    }

    /// Compares all that happened since the last time with what was told. No toggle may be under way.
    ///
    /// - Returns: What is wrong.
    /// - Throws: If the server cannot be asked.
    func violations(over client: MarvelClient, _ followers: [ListFollower]) async throws -> [String] {
        var texts = try await repeatEarlierToggles(over: client)
        for follower in followers {
            let list = follower.list
            let (base, toggles) = state.withLock { ($0.bases[list], $0.answered[list] ?? []) }
            guard let base else { throw RunError("\(list) was never made") }
            let now = try await client.favorites(list: list).list
            let log = try await client.changes(of: list, after: base.revision, upTo: now.revision)
            let sights = try await follower.sights(upTo: now.revision)
            let violations =
                HistoryCheck(base: base, log: log, list: now, toggles: toggles).violations()
                + WatchCheck(base: base, log: log, sights: sights).violations()
            texts += violations.map { "\(list): \($0)" }
            if now.favorites.count > now.capacity { texts.append("\(list) holds \(now.favorites.count)") }
            settle(list, now, toggles)
        }
        return texts
    }

    private func settle(_ list: ListName, _ now: FavoritesList, _ toggles: [AnsweredToggle]) {
        let moment = ContinuousClock.now
        state.withLock { state in
            state.bases[list] = now
            state.sent[list] = nil
            state.answered[list] = nil
            if let toggle = toggles.randomElement(using: &state.random) {
                state.earlierToggles.append(EarlierToggle(list: list, toggle: toggle, moment: moment))
            }
        }
    }

    /// Answers of earlier epochs are the same too.
    private func repeatEarlierToggles(over client: MarvelClient) async throws -> [String] {
        let oldest = ContinuousClock.now - ToggleHistory.repeatLimit
        let earlierToggles = state.withLock { state in
            state.earlierToggles.removeAll { $0.moment < oldest }
            return state.earlierToggles.shuffled(using: &state.random).prefix(8)
        }
        var texts: [String] = []
        for earlier in earlierToggles {
            let toggle = earlier.toggle
            let again = SentToggle(
                toggle.requestID,
                list: earlier.list,
                characterID: toggle.characterID,
                wish: toggle.wish
            )
            let answer = try await send(again, over: client)
            if answer != toggle.answer { texts.append("\(earlier.list): \(Violation.answersDiffer(toggle.requestID))") }
        }
        return texts
    }
}
