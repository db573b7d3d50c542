import FavoritesPostgres
import MarvelDomain
import MarvelService
import NIOCore
import OperationsHTTP
import ProgramSupport
import RPCCore
import RPCServer
import Upstream

extension OperationsPages {
    init(_ parts: ServedParts, history: ActivityHistory) {
        let server = parts.server
        self.init(
            isAlive: { await server.eventLoopsRespond() },
            readiness: { Readiness(parts) },
            metrics: MetricsRegistry(parts),
            versions: [("version", StartUp.version), ("swift", Self.swiftVersion)],
            connections: { limit in
                guard let connections = await server.connections(atMost: limit) else { return nil }
                return (connections.map(ConnectionRow.init), server.connectionCount)
            },
            status: { StatusReport(parts, history: history) }
        )
    }

    private static var swiftVersion: String {
        #if swift(>=6.4)
        "6.4 or later"
        #elseif swift(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }
}

extension Readiness {
    init(_ parts: ServedParts) {
        let isDraining = parts.server.isStopping
        let isListening = parts.server.isListening
        let storeFault =
            parts.store.refusalText.map { _ in "favorites are read-only until a restart" }
            ?? parts.store.unavailabilityText
        let upstream = parts.catalog.upstream?.status
        var checks = [
            Check("catalog", isGood: true, detail: parts.catalogText),
            Check(
                "serving",
                isGood: !isDraining && isListening,
                detail: isDraining ? "draining" : isListening ? "accepting calls" : "a port cannot be reopened"
            ),
            Check(
                "store",
                isGood: storeFault == nil,
                isRequired: false,
                detail: storeFault ?? "writable"
            ),
        ]
        if let database = parts.store.database {
            let age = Figures.duration(database.feedAge / .seconds(1))
            checks.append(
                Check(
                    "feed",
                    isGood: !database.isFeedLate,
                    isRequired: false,
                    detail: "other servers' changes were last checked \(age) ago"
                )
            )
        }
        if let upstream {
            let isGood = !upstream.isBreakerOpen && !upstream.isPaused
            checks.append(
                Check(
                    "gateway",
                    isGood: isGood,
                    isRequired: false,
                    detail: isGood ? "called on demand" : "circuit breaker open"
                )
            )
        }
        self.init(checks)
    }
}

extension ConnectionRow {
    init(_ connection: ConnectionDescription) {
        self.init(
            address: ServerAddress(connection.peer)?.description,
            wire: connection.wire,
            ageSeconds: connection.age / .seconds(1),
            openCalls: connection.activity?.openCalls,
            unsentBytes: connection.activity?.unsentByteCount
        )
    }
}

extension RPCServer {
    /// Over all protocols, by the method's name.
    var methodTotals: [String: MethodTotals] {
        endedCalls.reduce(into: [:]) { totals, calls in
            let count = calls.counts.count
            totals[calls.method ?? LabelDomain.other, default: MethodTotals()].add(
                MethodTotals(
                    calls: count,
                    failures: calls.code.isFaultOfServer ? count : 0,
                    durations: calls.counts.durations,
                    firstMessages: calls.counts.firstMessages
                )
            )
        }
    }
}
