internal import CrashTestChecks
package import MarvelClient

/// The lists of a run, each as it was last found to be right.
package struct VerifiedLists: Sendable {
    private var verified: [ListName: FavoritesList] = [:]

    package init() {}

    /// Takes a list as it is at the beginning.
    package mutating func begin(_ list: ListName, with contents: FavoritesList) { verified[list] = contents }

    /// Returns the revision at which a list was last found to be right; 0 if it was not.
    package func revision(of list: ListName) -> Int64 { verified[list]?.revision ?? 0 }

    /// Compares a list, its log and what a watcher saw with what the clients were told.
    ///
    /// - Parameters:
    ///   - follower: The watcher.
    ///   - client: The client to read with.
    ///   - members: All who toggled since the list was found to be right before.
    /// - Returns: The changes since, and the number of events that the watcher saw.
    /// - Throws: `RunError` if a promise was broken.
    package mutating func verify(
        _ follower: ListFollower,
        by client: MarvelClient,
        _ members: [ToggleClient]
    ) async throws -> (log: [FavoritesChange], sightCount: Int) {
        let list = follower.list
        guard let base = verified[list] else { throw RunError("\(list) was never made") }
        let toggles = members.flatMap { $0.answered[list] ?? [] }
        // Another replica than those that answered may be a moment behind, unless it is told of the newest answer.
        let newest = toggles.max { $0.answer.revision < $1.answer.revision }?.answer.place
        let now = try await client.favorites(list: list, atLeast: newest).list
        let log = try await client.changes(of: list, after: base.revision, upTo: now.revision)
        let sights = try await follower.sights(upTo: now.revision)
        let violations =
            HistoryCheck(base: base, log: log, list: now, toggles: toggles).violations()
            + WatchCheck(base: base, log: log, sights: sights).violations()
        guard violations.isEmpty else {
            let text = violations.prefix(20).map { "\n  \(list): \($0)" }.joined()
            throw RunError("\(violations.count) violations\(text)")
        }
        verified[list] = now
        return (log, sights.count)
    }
}
