package import CrashTestChecks
package import MarvelClient
internal import Synchronization

/// Watches a list through all that happens to the server, and keeps what it sees until it is asked.
package final class ListFollower: Sendable {
    private struct State {
        var revision: Int64
        var sights: [WatchCheck.Sight] = []
        /// The error that ended the watch.
        var failure: (any Error)?
    }

    package let list: ListName
    private let state: Mutex<State>

    /// - Parameters:
    ///   - list: The list.
    ///   - revision: Where it is, above 0.
    package init(_ list: ListName, at revision: Int64) {
        self.list = list
        state = Mutex(State(revision: revision))
    }

    /// - Parameter client: One that goes on after a break.
    /// - Throws: What the watch does not outlive.
    package func run(_ client: MarvelClient) async throws {
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
    package func sights(upTo revision: Int64) async throws -> [WatchCheck.Sight] {
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
    package func changes(
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
