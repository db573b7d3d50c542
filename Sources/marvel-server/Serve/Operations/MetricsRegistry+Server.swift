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
                    help: "The server's own time for calls, without the pauses of a stream's reader; no watches.",
                    samples: calls.filter { $0.counts.durations.count > 0 }.map {
                        .init($0.labels, .histogram($0.counts.durations))
                    }
                ),
                MetricFamily(
                    "marvel_first_message_seconds",
                    .histogram,
                    help: "Times to the first message of streams; no watches.",
                    samples: calls.filter { $0.counts.firstMessages.count > 0 }.map {
                        .init($0.labels, .histogram($0.counts.firstMessages))
                    }
                ),
                MetricFamily(
                    "marvel_calls_total",
                    .counter,
                    help: "Calls that have ended, watches included.",
                    samples: calls.map { .init($0.labels, .number(Double($0.counts.count))) }
                ),
            ]
        }
    }

    private mutating func addConnections(_ server: RPCServer) {
        gauge("marvel_connections", "Open connections.") { Double(server.connectionCount) }
        gauge("marvel_tasks", "Running tasks of calls.") { Double(server.runningTaskCount) }
        gauge("marvel_unsent_bytes", "Bytes that wait for peers to read them.") { Double(server.unsentByteCount) }
        gauge("marvel_inbound_bytes", "Bytes of requests that are kept.") { Double(server.inboundByteCount) }
    }

    private mutating func addStore(_ parts: ServedParts) {
        let (store, service) = (parts.store, parts.service)
        gauge("marvel_store_writable", "Whether the store accepts changes.") {
            store.refusalText == nil && store.unavailabilityText == nil ? 1 : 0
        }
        gauge("marvel_lists", "Lists in the store.") { Double(store.listCount) }
        gauge("marvel_damaged_lists", "Lists that are refused because their rows are damaged.") {
            Double(store.damagedListCount)
        }
        if store.logByteCount != nil {
            gauge("marvel_wal_bytes", "Bytes of the store's log.") { Double(store.logByteCount ?? 0) }
        }
        histogram("marvel_commit_duration_seconds", "Durations of the store's commits.") { store.commitDurations }
        gauge("marvel_watches", "Open watches of lists.") { Double(service.watchCount) }
        gauge("marvel_search_waiting", "Long searches that wait for others.") { Double(LongSearches.waitingCount) }
    }

    private mutating func addUpstream(_ catalog: OpenedCatalog) {
        guard let counts = catalog.upstream?.counts else { return }
        counters("marvel_upstream_lookups_total", "Questions to a gateway, by how they were answered.", by: "result") {
            UpstreamCounts.Event.allCases.map { ("\($0)", counts[$0]) }
        }
        gauge("marvel_upstream_waiting", "Callers that wait for a gateway.") { Double(counts.waiting) }
        gauge("marvel_upstream_budget_limit", "Calls to the gateway that any 24 hours may have.") {
            catalog.upstream?.status.callsPerDay.map(Double.init)
        }
        gauge("marvel_upstream_budget_remaining", "Calls to the gateway that are left now.") {
            catalog.upstream?.status.callsLeft.map(Double.init)
        }
        gauge("marvel_upstream_breaker_open", "Whether the gateway is not called, because calls have failed.") {
            catalog.upstream.map { $0.status.isBreakerOpen ? 1 : 0 }
        }
    }

    private mutating func addCertificate(_ tls: ServerTLS?) {
        guard let tls else { return }
        gauge("marvel_tls_certificate_not_after_timestamp_seconds", "The end of the served certificate, since 1970.") {
            Double(tls.notAfter)
        }
        gauge("marvel_tls_reload_success", "Whether the served certificate is that of the files.") {
            tls.reloads.hasFailed ? 0 : 1
        }
    }

    private mutating func addLog(_ log: CallLog?) {
        guard let log else { return }
        counter("marvel_access_log_dropped_total", "Calls that were not logged, because too many waited.") {
            log.droppedCount
        }
    }

    private mutating func addProcess() {
        add {
            let version = MetricFamily.Sample([Label("version", StartUp.version)], .number(1))
            return [MetricFamily("marvel_build_info", .gauge, help: "The version of the server.", samples: [version])]
        }
        gauge("process_start_time_seconds", "The start of the process, since 1970.") { ProcessFigures.startTime }
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
