package import MarvelDomain
internal import Synchronization

/// The figures of a store's connections and commits, for its operator.
package struct StoreFigures: Sendable {
    /// The state of the connection of one part of the store.
    package struct Connection: Sendable, Hashable {
        /// The part: `writer`, `reader`, `feed` or `background`.
        package let part: String
        package let isConnected: Bool
        /// The number of times that it was connected again.
        package let reconnectCount: Int
    }

    package let connections: [Connection]
    /// The time since other servers' changes were last asked for.
    package let feedAge: Duration
    /// The numbers of requests in the groups that were committed.
    package let commitSizes: HistogramCounts
    /// The number of groups that were sent again, because their connection was lost before their outcome was known.
    package let resentGroupCount: Int
    /// The number of groups that were sent again, because another transaction was in their way.
    package let conflictCount: Int
    /// The number of requests that wait for the writer.
    package let waitingCount: Int
    /// The age of the feed above which other servers' changes are late. A poll every 250 ms keeps it far below.
    package static let maximumFeedAge = Duration.seconds(5)

    /// Whether changes of other servers are late.
    package var isFeedLate: Bool { feedAge > Self.maximumFeedAge }

    /// Whether changes are accepted, and those of other servers arrive.
    package var isHealthy: Bool {
        !isFeedLate && connections.allSatisfy { $0.isConnected || $0.part != StoreStatus.Part.writer.rawValue }
    }
}

extension PostgresFavoritesStore {
    /// The figures of the store now.
    package var figures: StoreFigures {
        StoreFigures(
            connections: status.connections,
            feedAge: status.feedAge,
            commitSizes: writer.counts.sizes.counts,
            resentGroupCount: writer.counts.resent.load(ordering: .relaxed),
            conflictCount: writer.counts.conflicts.load(ordering: .relaxed),
            waitingCount: writer.waitingCount
        )
    }
}
