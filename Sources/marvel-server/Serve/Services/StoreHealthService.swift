import FavoritesPostgres
import Logging
import MarvelDomain
import MarvelService

/// Keeps the health of the store up to date, and warns of slow commits.
///
/// The server's own health does not depend on an unreachable database: all its servers would stop answering searches at
/// the same time.
struct StoreWatch: Sendable {
    /// The time between two checks. Connections that are restored within it are not reported.
    private static let interval = Duration.milliseconds(500)
    /// The checks between two warnings of slow commits.
    private static let looksPerWarning = 20
    /// In seconds: toggles wait for 5 s at most.
    private static let slowCommit = 1.0

    let store: any ServedStore
    let health: ServiceHealth
    let logger: Logger

    /// Watches until the task is cancelled.
    func run() async {
        var commits = store.commitDurations
        var looks = 0
        while !Task.isCancelled {
            health.set(isServing: store.isHealthy)
            looks += 1
            if looks % Self.looksPerWarning == 0 { warnOfSlowCommits(since: &commits) }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func warnOfSlowCommits(since last: inout HistogramCounts) {
        let now = store.commitDurations
        let recent = now.since(last)
        last = now
        guard let longest = recent.quantile(1), longest > Self.slowCommit else { return }
        logger.warning(
            "commits are slow: check the disk or the database, and locks on its files",
            metadata: ["commits": .stringConvertible(recent.count), "seconds": .stringConvertible(recent.sum)]
        )
    }
}

extension ServedStore {
    /// Whether changes are accepted, and those of other servers arrive.
    var isHealthy: Bool { refusalText == nil && database?.isHealthy ?? true }
}
