import Catalog
import MarvelClient
import MarvelDomain
import Synchronization
import TrialChecks

/// A toggle on its way.
struct SentToggle: Sendable {
    let requestID: RequestID
    let list: ListName
    let characterID: Int64
    let wish: DesiredFavorite
    /// In nanoseconds, since the first use of this clock.
    private let sent = Self.now()

    init(_ requestID: RequestID, list: ListName, characterID: Int64, wish: DesiredFavorite) {
        self.requestID = requestID
        self.list = list
        self.characterID = characterID
        self.wish = wish
    }

    /// Sends an answered toggle once more.
    init(repeating toggle: AnsweredToggle, on list: ListName) {
        self.init(toggle.requestID, list: list, characterID: toggle.characterID, wish: toggle.wish)
    }

    func answered(_ answer: ToggleResult) -> AnsweredToggle {
        AnsweredToggle(requestID, wish, characterID, sent: sent, answered: Self.now(), answer: answer)
    }

    func send(over client: MarvelClient, timeout: Duration = .seconds(10)) async throws(RPCError) -> ToggleResult {
        try await client.toggleFavorite(
            characterID,
            desired: wish,
            list: list,
            requestID: requestID,
            timeout: timeout
        )
    }

    private static let begin = ContinuousClock.now
    private static func now() -> Int64 { Int64((ContinuousClock.now - begin) / .nanoseconds(1)) }
}

/// The toggles of a trial's clients since the lists were last judged: which were answered, and which were not.
final class ToggleHistory: Sendable {
    /// The share of the answered toggles that are sent once more: one in so many.
    private static let repeatShare = 8
    /// The earlier toggles that are kept, and those of them that are sent once more at a time.
    private static let (keptCount, repeatedCount) = (64, 16)

    private struct EarlierToggle {
        let list: ListName
        let toggle: AnsweredToggle
        let moment = ContinuousClock.now
    }

    struct Counts {
        /// Toggles that were answered.
        var toggles = 0
        /// Sendings of toggles that had not been answered.
        var resent = 0
        /// Sendings of toggles that had been answered.
        var repeated = 0
    }

    private struct State {
        var random: SplitMix64
        var sent: [ListName: Int] = [:]
        var sentCount = 0
        var pending: [RequestID: SentToggle] = [:]
        var answered: [ListName: [AnsweredToggle]] = [:]
        var earlier: [EarlierToggle] = []
        var counts = Counts()
    }

    let lists: [ListName]
    /// More than a list holds, so that saving evicts; few, so that clients meet at the same ones.
    let characterIDs = BuiltInCatalog.characters().prefix(12).map(\.id)
    private let seed: UInt64
    private let maximumPerList: Int
    private let repeatLimit: Duration?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: The number of lists, which nobody else may change.
    ///   - seed: Decides what is toggled.
    ///   - maximumPerList: The maximum number of toggles between two judgements: less than the changes that a list's log
    ///     keeps.
    ///   - repeatLimit: The age up to which an answered toggle may be sent once more; nil for any.
    init(lists count: Int, seed: UInt64, maximumPerList: Int, repeatLimit: Duration? = nil) {
        lists = (1...count).compactMap { ListName("trial-\($0)") }
        self.seed = seed
        self.maximumPerList = maximumPerList
        self.repeatLimit = repeatLimit
        state = Mutex(State(random: SplitMix64(seed: seed)))
    }

    var counts: Counts { state.withLock(\.counts) }

    // MARK: Toggling

    /// Sends a new toggle once. If that fails, it waits for `sendAgain`.
    ///
    /// - Returns: False if there is none, because a list has changed as often as its log can tell.
    func toggle(over client: MarvelClient, timeout: Duration) async throws(RPCError) -> Bool {
        guard let toggle = next() else { return false }
        answered(toggle, try await toggle.send(over: client, timeout: timeout))
        return true
    }

    /// Sends a new toggle until it is answered, if there is one.
    ///
    /// - Throws: An error that does not pass within a minute.
    func toggleUntilAnswered(over client: MarvelClient) async throws {
        guard let toggle = next() else { return }
        try await send(toggle, over: client, for: .seconds(60), through: [.unavailable, .deadlineExceeded])
    }

    /// Sends all toggles without an answer until they have one.
    func sendAgain(over clients: [MarvelClient]) async throws {
        let pending = state.withLock { Array($0.pending.values) }
        try await share(pending, among: clients) { toggle, client in
            try await self.send(toggle, over: client, for: .seconds(30), through: [.unavailable])
        }
    }

    private func next() -> SentToggle? {
        state.withLock { state in
            guard let list = lists.randomElement(using: &state.random),
                let characterID = characterIDs.randomElement(using: &state.random),
                let wish = DesiredFavorite.allCases.randomElement(using: &state.random),
                let id = RequestID("\(String(seed, radix: 16))-\(state.sentCount)"),
                state.sent[list, default: 0] < maximumPerList
            else { return nil }
            state.sentCount += 1
            state.sent[list, default: 0] += 1
            let toggle = SentToggle(id, list: list, characterID: characterID, wish: wish)
            state.pending[id] = toggle
            return toggle
        }
    }

    private func send(
        _ toggle: SentToggle,
        over client: MarvelClient,
        for limit: Duration,
        through codes: Set<StatusCode>
    ) async throws {
        let end = ContinuousClock.now + limit
        while true {
            state.withLock { $0.counts.resent += 1 }
            do {
                return answered(toggle, try await toggle.send(over: client))
            } catch {
                let passes = codes.contains(error.code) || error.reason == .storeOverloaded
                guard passes, ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func answered(_ toggle: SentToggle, _ answer: ToggleResult) {
        let answered = toggle.answered(answer)
        state.withLock { state in
            state.pending[toggle.requestID] = nil
            state.answered[toggle.list, default: []].append(answered)
            state.counts.toggles += 1
        }
    }

    // MARK: Repeating

    /// Sends some answered toggles once more: one in eight of those since the last judgement, and some of before.
    ///
    /// - Returns: The earlier toggles whose answers were other ones. The judge finds those since the last judgement.
    func repeatSome(over clients: [MarvelClient]) async throws -> [Violation] {
        let (latest, earlier) = state.withLock { state in
            let answered = state.answered.flatMap { list, toggles in toggles.map { (list: list, toggle: $0) } }
            let latest = answered.filter { _ in Int.random(in: 0..<Self.repeatShare, using: &state.random) == 0 }
            if let repeatLimit { state.earlier.removeAll { .now - $0.moment > repeatLimit } }
            return (latest, Array(state.earlier.shuffled(using: &state.random).prefix(Self.repeatedCount)))
        }
        try await share(latest, among: clients) { repeated, client in
            let answer = try await SentToggle(repeating: repeated.toggle, on: repeated.list).send(over: client)
            self.state.withLock { state in
                let id = repeated.toggle.requestID
                let index = state.answered[repeated.list]?.firstIndex { $0.requestID == id }
                if let index { state.answered[repeated.list]?[index].repeated(answer) }
            }
        }
        let differing = Mutex<[Violation]>([])
        try await share(earlier, among: clients) { repeated, client in
            let answer = try await SentToggle(repeating: repeated.toggle, on: repeated.list).send(over: client)
            guard answer != repeated.toggle.answer else { return }
            differing.withLock { $0.append(.answersDiffer(repeated.toggle.requestID)) }
        }
        state.withLock { $0.counts.repeated += latest.count + earlier.count }
        return differing.withLock(\.self)
    }

    /// Takes out the answered toggles of a list. A few are kept for later repeats.
    func takeAnswered(of list: ListName) -> [AnsweredToggle] {
        state.withLock { state in
            let toggles = state.answered.removeValue(forKey: list) ?? []
            state.sent[list] = nil
            state.earlier += toggles.shuffled(using: &state.random).prefix(4)
                .map { EarlierToggle(list: list, toggle: $0) }
            state.earlier = Array(state.earlier.shuffled(using: &state.random).prefix(Self.keptCount))
            return toggles
        }
    }

    /// Shares items among clients, which work side by side.
    private func share<Item: Sendable>(
        _ items: [Item],
        among clients: [MarvelClient],
        _ work: @escaping @Sendable (Item, MarvelClient) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask {
                    for index in stride(from: number, to: items.count, by: clients.count) {
                        try await work(items[index], client)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
