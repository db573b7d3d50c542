import Catalog
import Logging
import MarvelDomain
import MarvelService
import ProgramSupport
import RPCCore
import RPCServer
import TransportSecurity
import Upstream

/// The running parts of the server that the operations port shows.
struct ServedParts: Sendable {
    let server: RPCServer
    let service: CharacterService
    let store: any ServedStore
    let catalog: OpenedCatalog
    let callLog: CallLog?
    let tls: ServerTLS?
    let catalogText: String
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
        gauge("marvel_tasks", "Active calls.") { Double(server.runningTaskCount) }
        gauge("marvel_unsent_bytes", "Unsent bytes.") { Double(server.unsentByteCount) }
        gauge("marvel_inbound_bytes", "Bytes of buffered requests.") { Double(server.inboundByteCount) }
    }

    private mutating func addStore(_ parts: ServedParts) {
        let (store, service) = (parts.store, parts.service)
        gauge("marvel_store_writable", "Whether the store accepts changes.") {
            store.refusalText == nil && store.unavailabilityText == nil ? 1 : 0
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
        gauge("marvel_search_waiting", "Queued searches.") { Double(LongSearches.waitingCount) }
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
            Label("rpc_system_name", system.name), Label("rpc_method", method ?? LabelDomain.other),
            Label("rpc_response_status_code", code.name),
        ]
        return code.isFaultOfServer ? labels + [Label("error_type", code.name)] : labels
    }
}

extension StatusCode {
    /// Whether the fault is the server's, or that of its dependencies, and not its caller's.
    var isFaultOfServer: Bool {
        switch self {
        case .unknown, .deadlineExceeded, .internalError, .unavailable, .dataLoss: true
        default: false
        }
    }
}
