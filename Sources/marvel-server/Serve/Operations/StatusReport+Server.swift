import Catalog
import FavoritesPostgres
import Foundation
import MarvelService
import OperationsHTTP
import ProgramSupport
import RPCCore
import RPCTransport
import ServerMetrics
import Upstream

/// What the status page says of the server.
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
        if parts.store.refusalText != nil { return .degraded("Favorites can only be read until a restart.") }
        if parts.store.unavailabilityText != nil { return .degraded("The store of favorites cannot be reached.") }
        if parts.catalog.upstream?.status.isBreakerOpen == true {
            return .degraded("The gateway does not answer. Searches get kept answers, or fail.")
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
                "Calls a second",
                Figures.rate(activity.rate(recent)),
                note: "\(Figures.count(activity.all.total.calls)) since the start",
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
                note: failures == 0 ? "no fault of the server" : "\(Figures.count(failures)) calls",
                tone: failures == 0 ? .plain : failures * 100 > recent.calls ? .bad : .warning
            ),
            Tile("Connections", Figures.count(parts.server.connectionCount), note: "open now"),
            Tile("Watchers", Figures.count(parts.service.watchCount), note: "of lists, now"),
        ]
    }

    // MARK: Panels

    private static func panels(of parts: ServedParts) -> [Panel] {
        [store(parts.store), parts.catalog.upstream.map(upstream), work(parts), process].compactMap(\.self)
    }

    private static func store(_ store: any ServedStore) -> Panel {
        let commits = store.commitDurations
        let fault =
            store.refusalText.map { _ in "refused until a restart" }
            ?? store.unavailabilityText.map { _ in "not possible now: the database cannot be reached" }
        return Panel(
            "Store of favorites",
            [
                Row("Changes", fault ?? "accepted", tone: fault == nil ? .good : .bad),
                Row("Lists", Figures.count(store.listCount)),
                Row("Commits since the start", Figures.count(commits.count)),
                Row("Commit, median", commits.quantile(0.5).map(Figures.duration) ?? "–"),
                Row("Commit, p99", commits.quantile(0.99).map(Figures.duration) ?? "–"),
            ] + (store.logByteCount.map { [Row("Log", Figures.bytes($0))] } ?? []) + (store.database.map(rows) ?? [])
        )
    }

    private static func rows(_ database: StoreFigures) -> [Row] {
        let down = database.connections.filter { !$0.isConnected }.map(\.part)
        let reconnects = database.connections.map(\.reconnectCount).reduce(0, +)
        return [
            Row(
                "Connections to the database",
                down.isEmpty ? "all" : "none for \(down.joined(separator: ", "))",
                tone: down.isEmpty ? .good : .bad
            ),
            Row("Connected again", Figures.count(reconnects)),
            Row(
                "Changes of other servers",
                "asked for \(Figures.duration(database.feedAge / .seconds(1))) ago",
                tone: database.isFeedLate ? .bad : .good
            ),
            Row(
                "Changes in a commit, median",
                database.commitSizes.quantile(0.5).map { Figures.count(Int($0.rounded(.up))) } ?? "–"
            ),
            Row("Commits sent again", Figures.count(database.resentGroupCount)),
        ]
    }

    private static func upstream(_ status: UpstreamStatus, _ counts: UpstreamCounts) -> Panel {
        var rows = [
            Row(
                "Circuit breaker",
                status.isBreakerOpen ? "open: no calls" : "closed",
                tone: status.isBreakerOpen ? .bad : .good
            )
        ]
        if let limit = status.callsPerDay, let left = status.callsLeft {
            let fraction = Double(left) / Double(max(1, limit))
            let tone: Tone = status.isPaused || left == 0 ? .bad : fraction < 0.1 ? .warning : .plain
            let text = "\(Figures.count(left)) of \(Figures.count(limit)) left"
            let value = status.isPaused ? text + ", paused" : text
            rows.append(Row("Calls of 24 h", value, tone: tone, fraction: fraction))
        }
        rows += [
            Row("Waiting", Figures.count(counts.waiting)),
            Row("From the cache", Figures.count(counts[.hit] + counts[.stale])),
            Row("Calls made", Figures.count(counts[.call])),
            Row("Calls failed", Figures.count(counts[.failed])),
            Row("Calls refused here", Figures.count(counts[.refused])),
        ]
        return Panel("Gateway", rows)
    }

    private static func work(_ parts: ServedParts) -> Panel {
        let server = parts.server
        let refused = server.count(of: .connectionShed) + server.count(of: .connectionLimit)
        return Panel(
            "Work",
            [
                Row("Catalog", parts.catalogText),
                Row("Running tasks of calls", Figures.count(server.runningTaskCount)),
                Row("Long searches that wait", Figures.count(LongSearches.waitingCount)),
                Row("Bytes that wait for readers", Figures.bytes(server.unsentByteCount)),
                Row("Bytes of kept requests", Figures.bytes(server.inboundByteCount)),
                Row("Connections refused", Figures.count(refused)),
            ]
        )
    }

    private static var process: Panel {
        Panel(
            "Process",
            [
                Row("Version", StartUp.version),
                Row("Memory", ProcessFigures.residentBytes.map(Figures.bytes) ?? "–"),
                Row("Processor time", Figures.duration(ProcessFigures.processorSeconds)),
                Row("Open descriptors", ProcessFigures.openDescriptors.map(Figures.count) ?? "–"),
                Row("Processors", "\(ProcessInfo.processInfo.activeProcessorCount)"),
            ]
        )
    }
}
