import FavoritesPostgres
import MarvelDomain

extension MetricsRegistry {
    /// A store in a file has no such metrics.
    mutating func addDatabase(_ store: any ServedStore) {
        guard store.database != nil else { return }
        add { store.database.map(Self.families) ?? [] }
    }

    private static func families(_ figures: StoreFigures) -> [MetricFamily] {
        [
            gauge("marvel_feed_lag_seconds", "Time since changes of other servers were last asked for.") {
                figures.feedAge / .seconds(1)
            },
            MetricFamily(
                "marvel_store_connected",
                .gauge,
                help: "Whether a part of the store is connected to the database.",
                samples: figures.connections.map { .init([Label("part", $0.part)], .number($0.isConnected ? 1 : 0)) }
            ),
            MetricFamily(
                "marvel_store_reconnects_total",
                .counter,
                help: "Times that a part of the store was connected to the database again.",
                samples: figures.connections.map { .init([Label("part", $0.part)], .number(Double($0.reconnectCount))) }
            ),
            MetricFamily(
                "marvel_commit_size",
                .histogram,
                help: "Changes that were committed together, in one round trip.",
                samples: [.init([], .histogram(figures.commitSizes))]
            ),
            MetricFamily(
                "marvel_commit_resends_total",
                .counter,
                help: "Groups of changes that were sent again, because of a lost connection or another transaction.",
                samples: [
                    .init([Label("cause", "outcome_unknown")], .number(Double(figures.resentGroupCount))),
                    .init([Label("cause", "conflict")], .number(Double(figures.conflictCount))),
                ]
            ),
            gauge("marvel_commit_waiting", "Changes that wait to be committed.") { Double(figures.waitingCount) },
        ]
    }

    private static func gauge(_ name: String, _ help: String, _ value: () -> Double) -> MetricFamily {
        MetricFamily(name, .gauge, help: help, samples: [.init([], .number(value()))])
    }
}
