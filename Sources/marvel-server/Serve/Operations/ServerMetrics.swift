import Catalog
import FavoritesPostgres
import Foundation
import Glibc
import Logging
import MarvelDomain
import MarvelService
import ProgramSupport
import RPCCore
import RPCServer
import TransportSecurity
import Upstream

struct ServedParts: Sendable {
    let server: RPCServer
    let service: CharacterService
    let store: any ServedStore
    let catalog: OpenedCatalog
    let callLog: CallLog?
    let tls: ServerTLS?

    /// The size now: edits and a replaced file change it.
    var catalogText: String { catalog.catalog.characterCount.map { "\($0) characters" } ?? "asked of a gateway" }
}

extension MetricsRegistry {
    init(_ parts: ServedParts) {
        self.init()
        addCalls(parts.server)
        add { [server = parts.server] in
            EventMetric.families(EventMetric.place(of:), server.count(of:) as (ServerEvent) -> Int)
                + EventMetric.families(EventMetric.place(of:), server.count(of:) as (CallerEvent) -> Int)
        }
        addConnections(parts.server)
        addStore(parts)
        addDatabase(parts.store)
        addUpstream(parts.catalog)
        addCertificate(parts.tls)
        addLog(parts.callLog)
        addProcess()
    }

    private mutating func addCalls(_ server: RPCServer) {
        add {
            let calls = server.endedCalls
            return [
                MetricFamily(
                    "rpc_server_call_duration_seconds",
                    .histogram,
                    help: "Server time of calls, without waiting for a stream's reader; without watches.",
                    samples: calls.filter { $0.counts.durations.count > 0 }.map {
                        .init($0.labels, .histogram($0.counts.durations))
                    }
                ),
                MetricFamily(
                    "marvel_first_message_seconds",
                    .histogram,
                    help: "Time to the first message of streams; without watches.",
                    samples: calls.filter { $0.counts.firstMessages.count > 0 }.map {
                        .init($0.labels, .histogram($0.counts.firstMessages))
                    }
                ),
                MetricFamily(
                    "marvel_calls_total",
                    .counter,
                    help: "Finished calls, including watches.",
                    samples: calls.map { .init($0.labels, .number(Double($0.counts.count))) }
                ),
            ]
        }
    }

    private mutating func addConnections(_ server: RPCServer) {
        gauge("marvel_connections", "Open connections.") { Double(server.connectionCount) }
        gauge("marvel_tasks", "Running tasks of calls; a watch, a toggle and an answer from memory have none.") {
            Double(server.runningTaskCount)
        }
        gauge("marvel_unsent_bytes", "Unsent bytes.") { Double(server.unsentByteCount) }
        gauge("marvel_inbound_bytes", "Bytes of buffered requests.") { Double(server.inboundByteCount) }
    }

    private mutating func addStore(_ parts: ServedParts) {
        let (store, service) = (parts.store, parts.service)
        gauge("marvel_store_writable", "Whether the store accepts changes.") {
            store.isWritable ? 1 : 0
        }
        gauge("marvel_lists", "Lists in the store.") { Double(store.listCount) }
        gauge("marvel_damaged_lists", "Lists refused because of damaged rows.") {
            Double(store.damagedListCount)
        }
        if store.logByteCount != nil {
            gauge("marvel_wal_bytes", "Bytes of the store's log.") { Double(store.logByteCount ?? 0) }
        }
        histogram("marvel_commit_duration_seconds", "Durations of the store's commits.") { store.commitDurations }
        gauge("marvel_watches", "Open watches of lists.") { Double(service.watchCount) }
        gauge("marvel_search_waiting", "Queued searches.") { Double(SearchGate.shared.waitingCount) }
    }

    /// A store in a file has no such metrics.
    private mutating func addDatabase(_ store: any ServedStore) {
        guard let first = store.database else { return }
        let figures: @Sendable () -> StoreFigures = { store.database ?? first }
        gauge("marvel_feed_lag_seconds", "Time since the last poll for changes of other servers.") {
            figures().feedAge / .seconds(1)
        }
        add {
            let samples = figures().connections.map {
                MetricFamily.Sample([Label("part", $0.part)], .number($0.isConnected ? 1 : 0))
            }
            let help = "Whether this part of the store is connected to the database."
            return [MetricFamily("marvel_store_connected", .gauge, help: help, samples: samples)]
        }
        counters(
            "marvel_store_reconnects_total",
            "Reconnections of this part of the store to the database.",
            by: "part"
        ) {
            figures().connections.map { ($0.part, $0.reconnectCount) }
        }
        counters(
            "marvel_commit_resends_total",
            "Retried groups of changes, after a lost connection or a conflict.",
            by: "cause"
        ) {
            [("outcome_unknown", figures().resentGroupCount), ("conflict", figures().conflictCount)]
        }
        gauge("marvel_commit_waiting", "Changes waiting to be committed.") { Double(figures().waitingCount) }
    }

    private mutating func addUpstream(_ catalog: OpenedCatalog) {
        guard let counts = catalog.upstream?.counts else { return }
        counters("marvel_upstream_lookups_total", "Lookups of gateway data, by source of the answer.", by: "result") {
            UpstreamCounts.Event.allCases.map { ("\($0)", counts[$0]) }
        }
        gauge("marvel_upstream_waiting", "Callers waiting for a gateway.") { Double(counts.waiting) }
        gauge("marvel_upstream_budget_limit", "The maximum number of calls to the gateway in any 24 hours.") {
            catalog.upstream?.status.callsPerDay.map(Double.init)
        }
        gauge("marvel_upstream_budget_remaining", "Calls to the gateway left in the current 24 hours.") {
            catalog.upstream?.status.callsLeft.map(Double.init)
        }
        gauge("marvel_upstream_breaker_open", "Whether the circuit breaker stops calls to the gateway after failures.")
        {
            catalog.upstream.map { $0.status.isBreakerOpen ? 1 : 0 }
        }
    }

    private mutating func addCertificate(_ tls: ServerTLS?) {
        guard let tls else { return }
        gauge(
            "marvel_tls_certificate_not_after_timestamp_seconds",
            "When the served certificate expires, in seconds since 1970."
        ) {
            Double(tls.notAfter)
        }
        gauge("marvel_tls_reload_success", "Whether the served certificate matches the files.") {
            tls.reloads.hasFailed ? 0 : 1
        }
    }

    private mutating func addLog(_ log: CallLog?) {
        guard let log else { return }
        counter("marvel_access_log_dropped_total", "Calls not logged, because too many were waiting.") {
            log.droppedCount
        }
    }

    private mutating func addProcess() {
        add {
            let version = MetricFamily.Sample([Label("version", StartUp.version)], .number(1))
            return [MetricFamily("marvel_build_info", .gauge, help: "The version of the server.", samples: [version])]
        }
        gauge("process_start_time_seconds", "When the process started, in seconds since 1970.") {
            ProcessFigures.startTime
        }
        gauge("process_resident_memory_bytes", "Memory in use.") { ProcessFigures.residentBytes.map(Double.init) }
        gauge("process_open_fds", "Open file descriptors.") { ProcessFigures.openDescriptors.map(Double.init) }
        add {
            let sample = MetricFamily.Sample([], .number(ProcessFigures.processorSeconds))
            let name = "process_cpu_seconds_total"
            return [MetricFamily(name, .counter, help: "Processor time used.", samples: [sample])]
        }
    }
}

extension RPCServer.EndedCallCounts {
    /// They include no name of a peer.
    var labels: [Label] {
        let labels = [
            Label("rpc_system_name", system.name), Label("rpc_method", method ?? .otherLabel),
            Label("rpc_response_status_code", code.name),
        ]
        return code.isFaultOfServer ? labels + [Label("error_type", code.name)] : labels
    }
}

extension StatusCode {
    var isFaultOfServer: Bool {
        switch self {
        case .unknown, .deadlineExceeded, .internalError, .unavailable, .dataLoss: true
        default: false
        }
    }
}

/// Each event of the server, and each about a caller, belongs to one metric: the compiler checks this.
enum EventMetric: String, CaseIterable {
    case connectionsAccepted = "marvel_connections_accepted_total"
    case connectionsRefused = "marvel_connections_refused_total"
    case connectionsEnded = "marvel_connections_ended_total"
    case acceptPauses = "marvel_accept_pauses_total"
    case callsRefused = "marvel_calls_refused_total"
    case deadlines = "marvel_deadlines_total"
    case cancels = "marvel_cancels_total"
    case frames = "marvel_frames_total"
    case identities = "marvel_auth_total"
    case quotas = "marvel_quota_rejections_total"

    typealias Place = (metric: EventMetric, labels: [Label])

    var help: String {
        switch self {
        case .connectionsAccepted: "Accepted connections."
        case .connectionsRefused: "Connections rejected because a limit was reached."
        case .connectionsEnded: "Connections that the server closed because of the peer's behavior."
        case .acceptPauses: "Pauses and failures of accepting connections."
        case .callsRefused: "Calls rejected or ended by the server, not by their method."
        case .deadlines: "Calls that exceeded their deadline."
        case .cancels: "Calls cancelled by their caller."
        case .frames: "Frames delayed by a slow reader, or without effect."
        case .identities: "Authenticated callers, once per connection and token, and unauthenticated calls."
        case .quotas: "Calls rejected and watches ended because of a quota."
        }
    }

    static func place(of event: ServerEvent) -> Place {
        switch event {
        case .connectionAccepted: (.connectionsAccepted, [])
        case .connectionShed: (.connectionsRefused, [Label("reason", "shed")])
        case .connectionLimit: (.connectionsRefused, [Label("reason", "limit")])
        case .acceptPaused: (.acceptPauses, [Label("cause", "descriptors")])
        case .acceptFailed: (.acceptPauses, [Label("cause", "error")])
        case .deadlineExceeded: (.deadlines, [])
        case .cancelReceived: (.cancels, [])
        case .frameHeld: (.frames, [Label("kind", "held")])
        case .frameIgnored: (.frames, [Label("kind", "ignored")])
        case .foreignHTTP, .foreignTLS, .foreignUnknown, .handshakeFailed, .protocolError, .malformedHello,
            .frameTimeout, .writeTimeout,
            .keepaliveTimeout, .idleTimeout, .tooManyCancels, .tooManyFaults, .tooManyGlitches, .tooManyControlFrames,
            .tooManyRejections, .memoryLimit:
            (.connectionsEnded, [Label("reason", "\(event)".snakeCase)])
        case .evenStreamID, .reusedStreamID, .reservedStreamID, .inactiveStream, .unexpectedData, .frameTooLarge,
            .malformedRequest, .streamError, .streamLimit, .creditTimeout, .inputClosed, .draining,
            .rateLimit, .unauthenticated, .permissionDenied, .accessEnded:
            (.callsRefused, [Label("reason", "\(event)".snakeCase)])
        }
    }

    static func place(of event: CallerEvent) -> Place {
        switch event {
        case .local: identity("local", "ok")
        case .anonymous: identity("anonymous", "ok")
        case .peer: identity("peer", "ok")
        case .certificate: identity("certificate", "ok")
        case .token: identity("token", "ok")
        case .tokenMissing: identity("anonymous", "token_missing")
        case .tokenInvalid: identity("token", "token_invalid")
        case .tokenExpired: identity("token", "token_expired")
        case .tokenInClear: identity("token", "token_in_clear")
        case .callQuota: quota("calls")
        case .searchQuota: quota("searches")
        case .upstreamQuota: quota("upstream")
        case .listQuota: quota("lists")
        case .watchQuota: quota("watches")
        }
    }

    private static func identity(_ source: String, _ result: String) -> Place {
        (.identities, [Label("source", source), Label("result", result)])
    }

    private static func quota(_ name: String) -> Place { (.quotas, [Label("quota", name)]) }

    static func families<Event: CaseIterable>(
        _ place: (Event) -> Place,
        _ count: (Event) -> Int
    ) -> [MetricFamily] {
        var samples: [EventMetric: [MetricFamily.Sample]] = [:]
        for event in Event.allCases {
            let (metric, labels) = place(event)
            samples[metric, default: []].append(.init(labels, .number(Double(count(event)))))
        }
        return allCases.compactMap { metric in
            samples[metric].map { MetricFamily(metric.rawValue, .counter, help: metric.help, samples: $0) }
        }
    }
}

extension String {
    /// A name of Swift as the value of a label: `foreignTLS` is `foreign_tls`.
    var snakeCase: String {
        var text = ""
        var wasLower = false
        for character in self {
            if character.isUppercase, wasLower { text += "_" }
            wasLower = character.isLowercase
            text += character.lowercased()
        }
        return text
    }
}

enum ProcessFigures {
    /// In seconds since 1970. It is set at the first access, when the server starts to serve.
    static let startTime = Date().timeIntervalSince1970

    /// The time of all threads, in seconds.
    static var processorSeconds: Double {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// Nil if the system does not report it, as without /proc.
    static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(getpagesize())
    }

    static var openDescriptors: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    }
}
