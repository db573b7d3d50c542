import Catalog
import FavoritesPostgres
import Foundation
import Logging
import MarvelDomain
import MarvelService
import NIOCore
import OperationsHTTP
import ProgramSupport
import RPCCore
import RPCServer
import ServiceLifecycle
import TransportSecurity
import Upstream

extension ServedParts {
    /// Returns the services that run the pages, and record the activity that they show.
    func openOperations(
        _ port: ServerPort,
        _ control: AccessControl,
        _ logger: Logger
    ) async throws(StartupError) -> [any Service] {
        _ = ProcessFigures.startTime
        let history = ActivityHistory()
        history.add(server.methodTotals, at: .now)
        let wire = OperationsServer.wire(OperationsPages(self, history: history)) { credentials, peer in
            control.operatorRefusal(credentials, from: peer)
        }
        let endpoints = port.endpoints(wire)
        let pages = try await OperationsServer.start(on: tls?.protectPages(endpoints) ?? endpoints, logger: logger)
        return [
            ServerService(server: pages, onRunning: { announce(pages, logger) }),
            BackgroundService("activity", every: ActivityHistory.interval) {
                history.add(server.methodTotals, at: .now)
            },
        ]
    }

    private func announce(_ pages: RPCServer, _ logger: Logger) {
        for endpoint in pages.endpoints {
            logger.notice("listening", metadata: endpoint.metadata)
            guard endpoint.security == nil, !endpoint.address.isLocal else { continue }
            logger.warning(
                "this address answers only probes from other machines: there is no TLS",
                metadata: ["address": "\(endpoint.address)"]
            )
        }
    }
}

extension OperationsPages {
    init(_ parts: ServedParts, history: ActivityHistory) {
        let server = parts.server
        self.init(
            isAlive: { await EventLoops.answer(within: .seconds(2)) },
            readiness: { Readiness(parts) },
            metrics: MetricsRegistry(parts),
            version: StartUp.version,
            connections: { limit in
                guard let connections = await server.connections(atMost: limit) else { return nil }
                return (connections, server.connectionCount)
            },
            status: { StatusReport(parts, history: history) }
        )
    }
}

extension Readiness {
    init(_ parts: ServedParts) {
        let isDraining = parts.server.isStopping
        let isListening = parts.server.isListening
        let storeFault = parts.store.fault
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
            let fault =
                upstream.isBreakerOpen
                ? "circuit breaker open" : upstream.isPaused ? "paused: a call was refused for its quota" : nil
            checks.append(
                Check("gateway", isGood: fault == nil, isRequired: false, detail: fault ?? "called on demand")
            )
        }
        self.init(checks)
    }
}

extension RPCServer {
    /// Over all protocols, by the method's name.
    var methodTotals: [String: MethodTotals] {
        endedCalls.reduce(into: [:]) { totals, calls in
            let count = calls.counts.count
            totals[calls.method ?? .otherLabel, default: MethodTotals()].add(
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

extension StatusReport {
    init(_ parts: ServedParts, history: ActivityHistory) {
        let activity = history.recent(parts.server.methodTotals, at: .now)
        self.init(
            title: "marvel-server \(StartUp.version)",
            state: Self.state(of: parts),
            facts: Self.facts(of: parts),
            activity: activity,
            tiles: Self.tiles(activity, parts),
            panels: Self.panels(of: parts)
        )
    }

    private static func state(of parts: ServedParts) -> State {
        if parts.server.isStopping { return .draining }
        if let fault = parts.store.fault { return .degraded("Favorites: \(fault).") }
        if parts.catalog.upstream?.status.isBreakerOpen == true {
            return .degraded("The gateway does not answer. Searches use cached responses or fail.")
        }
        return .serving
    }

    private static func facts(of parts: ServedParts) -> [String] {
        let uptime = Figures.duration((Date().timeIntervalSince1970 - ProcessFigures.startTime).rounded())
        return ["up \(uptime)", "pid \(ProcessInfo.processInfo.processIdentifier)"]
            + parts.server.endpoints.map { "\($0.wire.name) \($0.address)" }
    }

    // MARK: Tiles

    private static func tiles(_ activity: RecentActivity, _ parts: ServedParts) -> [Tile] {
        let recent = activity.all.recent
        let (median, late) = (recent.durations.quantile(0.5), recent.durations.quantile(0.99))
        let failures = recent.failures
        return [
            Tile(
                "Calls per second",
                Figures.rate(activity.rate(recent)),
                note: "\(Figures.count(activity.all.total.calls)) since start",
                history: activity.rates
            ),
            Tile(
                "Latency, median",
                median.map(Figures.duration) ?? "–",
                note: late.map { "p99 \(Figures.duration($0))" } ?? "no call yet",
                history: activity.medians
            ),
            Tile(
                "Errors",
                Figures.errors(recent),
                note: failures == 0 ? "no server errors" : "\(Figures.count(failures)) failed calls",
                tone: failures == 0 ? .plain : failures * 100 > recent.calls ? .bad : .warning
            ),
            Tile("Connections", Figures.count(parts.server.connectionCount), note: "open"),
            Tile("Watches", Figures.count(parts.service.watchCount), note: "open, of lists"),
        ]
    }

    // MARK: Panels

    private static func panels(of parts: ServedParts) -> [Panel] {
        [store(parts.store), parts.catalog.upstream.map(upstream), work(parts), process].compactMap(\.self)
    }

    private static func store(_ store: any ServedStore) -> Panel {
        let commits = store.commitDurations
        return Panel(
            "Favorites store",
            [
                Row("State", store.fault ?? "writable", tone: store.fault == nil ? .good : .bad),
                Row("Lists", Figures.count(store.listCount)),
                Row("Commits since start", Figures.count(commits.count)),
                Row("Commit, median", commits.quantile(0.5).map(Figures.duration) ?? "–"),
                Row("Commit, p99", commits.quantile(0.99).map(Figures.duration) ?? "–"),
            ] + (store.logByteCount.map { [Row("Write-ahead log", Figures.bytes($0))] } ?? [])
                + (store.database.map(rows) ?? [])
        )
    }

    private static func rows(_ database: StoreFigures) -> [Row] {
        let down = database.connections.filter { !$0.isConnected }.map(\.part)
        let reconnects = database.connections.map(\.reconnectCount).reduce(0, +)
        return [
            Row(
                "Database connections",
                down.isEmpty ? "connected" : "not connected: \(down.joined(separator: ", "))",
                tone: down.isEmpty ? .good : .bad
            ),
            Row("Reconnects", Figures.count(reconnects)),
            Row(
                "Last check for other servers' changes",
                "\(Figures.duration(database.feedAge / .seconds(1))) ago",
                tone: database.isFeedLate ? .bad : .good
            ),
            Row("Commits retried", Figures.count(database.resentGroupCount)),
        ]
    }

    private static func upstream(_ status: UpstreamStatus, _ counts: UpstreamCounts) -> Panel {
        var rows = [
            Row(
                "Circuit breaker",
                status.isBreakerOpen ? "open: calls are stopped" : "closed",
                tone: status.isBreakerOpen ? .bad : .good
            )
        ]
        if let limit = status.callsPerDay, let left = status.callsLeft {
            let fraction = Double(left) / Double(max(1, limit))
            let tone: Tone = status.isPaused || left == 0 ? .bad : fraction < 0.1 ? .warning : .plain
            let text = "\(Figures.count(left)) of \(Figures.count(limit)) left"
            let value = status.isPaused ? text + ", paused" : text
            rows.append(Row("Daily call budget", value, tone: tone, fraction: fraction))
        }
        rows += [
            Row("Queued calls", Figures.count(counts.waiting)),
            Row("Cache hits", Figures.count(counts[.hit] + counts[.stale])),
            Row("Calls made", Figures.count(counts[.call])),
            Row("Calls failed", Figures.count(counts[.failed])),
            Row("Calls rejected by this server", Figures.count(counts[.refused])),
        ]
        return Panel("Gateway", rows)
    }

    private static func work(_ parts: ServedParts) -> Panel {
        let server = parts.server
        let refused = server.count(of: .connectionShed) + server.count(of: .connectionLimit)
        return Panel(
            "Load",
            [
                Row("Catalog", parts.catalogText),
                Row("Running tasks of calls", Figures.count(server.runningTaskCount)),
                Row("Queued searches", Figures.count(SearchGate.shared.waitingCount)),
                Row("Unsent bytes", Figures.bytes(server.unsentByteCount)),
                Row("Buffered requests", Figures.bytes(server.inboundByteCount)),
                Row("Connections rejected", Figures.count(refused)),
            ]
        )
    }

    private static var process: Panel {
        Panel(
            "Process",
            [
                Row("Version", StartUp.version),
                Row("Memory", ProcessFigures.residentBytes.map(Figures.bytes) ?? "–"),
                Row("CPU time", Figures.duration(ProcessFigures.processorSeconds)),
                Row("Open files", ProcessFigures.openDescriptors.map(Figures.count) ?? "–"),
                Row("CPUs", "\(ProcessInfo.processInfo.activeProcessorCount)"),
            ]
        )
    }
}
