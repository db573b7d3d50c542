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
            gauge("marvel_feed_lag_seconds", "Time since the last poll for changes of other servers.") {
                figures.feedAge / .seconds(1)
            },
            MetricFamily(
                "marvel_store_connected",
                .gauge,
                help: "Whether this part of the store is connected to the database.",
                samples: figures.connections.map { .init([Label("part", $0.part)], .number($0.isConnected ? 1 : 0)) }
            ),
            MetricFamily(
                "marvel_store_reconnects_total",
                .counter,
                help: "Reconnections of this part of the store to the database.",
                samples: figures.connections.map { .init([Label("part", $0.part)], .number(Double($0.reconnectCount))) }
            ),
            MetricFamily(
                "marvel_commit_size",
                .histogram,
                help: "Changes per commit, in one round trip.",
                samples: [.init([], .histogram(figures.commitSizes))]
            ),
            MetricFamily(
                "marvel_commit_resends_total",
                .counter,
                help: "Retried groups of changes, after a lost connection or a conflict.",
                samples: [
                    .init([Label("cause", "outcome_unknown")], .number(Double(figures.resentGroupCount))),
                    .init([Label("cause", "conflict")], .number(Double(figures.conflictCount))),
                ]
            ),
            gauge("marvel_commit_waiting", "Changes waiting to be committed.") { Double(figures.waitingCount) },
        ]
    }

    private static func gauge(_ name: String, _ help: String, _ value: () -> Double) -> MetricFamily {
        MetricFamily(name, .gauge, help: help, samples: [.init([], .number(value()))])
    }
}
