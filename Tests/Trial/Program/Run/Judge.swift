import MarvelClient
import MarvelDomain
import Synchronization
import TrialChecks

/// Compares the lists of one store, their logs and what watchers saw with what the clients were told.
final class Judge {
    private let history: ToggleHistory
    /// Whether a read may be behind an answer, unless it names the answer's place.
    private let hasReplicas: Bool
    /// The lists as they were last found to be right.
    private var bases: [ListName: FavoritesList] = [:]
    private var followers: [ListFollower] = []
    private var watching: [MarvelClient] = []

    /// The changes and the events of watchers that were compared.
    private(set) var (changeCount, sightCount) = (0, 0)

    init(_ history: ToggleHistory, hasReplicas: Bool) {
        self.history = history
        self.hasReplicas = hasReplicas
    }

    /// Makes the lists, and has watchers follow them until the group is cancelled.
    ///
    /// - Parameters:
    ///   - client: Makes the lists.
    ///   - addresses: The servers of the watchers, which resume after a break.
    ///   - group: Runs the watchers.
    /// - Throws: The error of a call, or of a watch.
    func begin(
        over client: MarvelClient,
        watching addresses: [ServerAddress],
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        for list in history.lists {
            for id in history.characterIDs.prefix(2) {
                _ = try await client.toggleFavorite(id, desired: .saved, list: list)
            }
            let base = try await client.favorites(list: list).list
            bases[list] = base
            // One change back, so that there is an event at once: a watch survives its server only after its first event.
            let follower = ListFollower(list, at: base.revision - 1)
            let client = MarvelClient(servers: addresses.map { ServerEndpoint($0) })
            group.addTask { try await follower.run(client) }
            _ = try await follower.sights(upTo: base.revision)
            followers.append(follower)
            watching.append(client)
        }
    }

    /// Judges all lists. No toggle may be under way or without an answer.
    ///
    /// - Returns: The changes of each list since the last judgement, and what is wrong.
    /// - Throws: The error of a call, or of a watch.
    func judge(over clients: [MarvelClient]) async throws -> (changes: [[FavoritesChange]], violations: [String]) {
        var violations = try await history.repeatSome(over: clients).map { "\($0)" }
        var changes: [[FavoritesChange]] = []
        for follower in followers {
            let list = follower.list
            guard let base = bases[list] else { throw RunError("\(list) was never created") }
            let toggles = history.takeAnswered(of: list)
            let newest = toggles.max { $0.answer.revision < $1.answer.revision }?.answer.place
            let now = try await clients[0].favorites(list: list, atLeast: hasReplicas ? newest : nil).list
            let log = try await clients[0].changes(of: list, after: base.revision, upTo: now.revision)
            let sights = try await follower.sights(upTo: now.revision)
            let found =
                HistoryCheck(base: base, log: log, list: now, toggles: toggles).violations()
                + WatchCheck(base: base, log: log, sights: sights).violations()
            violations += found.map { "\(list): \($0)" }
            if now.favorites.count > now.capacity { violations.append("\(list) holds \(now.favorites.count)") }
            changeCount += log.count
            sightCount += sights.count
            changes.append(log)
            bases[list] = now
        }
        return (changes, violations)
    }

    func shutdown() async { for client in watching { await client.shutdown() } }
}

/// Watches a list through all that happens to the server, and keeps what it sees until it is asked.
private final class ListFollower: Sendable {
    private struct State {
        var revision: Int64
        var sights: [WatchCheck.Sight] = []
        /// The error that ended the watch.
        var failure: (any Error)?
    }

    let list: ListName
    private let state: Mutex<State>

    /// - Parameters:
    ///   - list: The list.
    ///   - revision: Where it is, above 0.
    init(_ list: ListName, at revision: Int64) {
        self.list = list
        state = Mutex(State(revision: revision))
    }

    /// - Parameter client: One that resumes after a break.
    /// - Throws: The error that ends the watch.
    func run(_ client: MarvelClient) async throws {
        let begin = state.withLock { $0.revision }
        do {
            for try await event in client.watchFavorites(list: list, from: begin) {
                switch event {
                case .changed(let change, _): saw(.change(change))
                case .snapshot(let listed, _): saw(.snapshot(listed.list))
                case .progress(let revision, _): saw(.progress(revision))
                case .interrupted: break
                }
            }
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    /// Returns what it has seen since it was asked before, once it has come to that revision.
    ///
    /// - Throws: The error that ended the watch, or `RunError` after 40 s.
    func sights(upTo revision: Int64) async throws -> [WatchCheck.Sight] {
        try await wait(for: "a watcher of \(list) at revision \(revision)", atMost: .seconds(40)) {
            try state.withLock { state in
                if let failure = state.failure { throw failure }
                return state.revision >= revision
            }
        }
        return state.withLock { state in
            defer { state.sights = [] }
            return state.sights
        }
    }

    private func saw(_ sight: WatchCheck.Sight) {
        state.withLock { state in
            state.sights.append(sight)
            state.revision = sight.revision
        }
    }
}

extension MarvelClient {
    /// Reads the log of a list.
    ///
    /// - Returns: The changes after `begin`, up to the one of revision `end`.
    /// - Throws: `RunError` if the server no longer has all of them, or the error of the watch.
    fileprivate func changes(
        of list: ListName,
        after begin: Int64,
        upTo end: Int64
    ) async throws -> [FavoritesChange] {
        var changes: [FavoritesChange] = []
        guard end > begin else { return changes }
        for try await event in watchFavorites(list: list, from: begin, timeout: .seconds(60)) {
            switch event {
            case .changed(let change, _): changes.append(change)
            case .snapshot: throw RunError("the log of \(list) does not go back to revision \(begin)")
            case .progress, .interrupted: break
            }
            if let last = changes.last, last.revision >= end { break }
        }
        return changes
    }
}
