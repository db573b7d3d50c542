import Dispatch
import Logging
import MarvelDomain
import NIOCore
import RPCCore
import RPCServer
import Synchronization

/// A log with a line for each logged call. Event loops never wait for it. When too many calls wait, further ones are
/// dropped and counted.
final class CallLog: AccessLog {
    static let capacity = 4_096

    private struct State {
        var waiting: [LoggedCall] = []
        var isScheduled = false
        var dropped = 0
        var reported = 0
    }

    let rules: AccessLogRules
    private let logger: Logger
    private let queue = DispatchQueue(label: "access log")
    private let state = Mutex(State())

    init(_ rules: AccessLogRules, logger: Logger) {
        self.rules = rules
        self.logger = logger
    }

    var droppedCount: Int { state.withLock(\.dropped) }

    func log(_ calls: [LoggedCall]) {
        let isFirst = state.withLock { state in
            let room = Self.capacity - state.waiting.count
            state.waiting += calls.prefix(room)
            state.dropped += max(0, calls.count - room)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { queue.async { [self] in write() } }
    }

    func flush() { queue.sync {} }

    private func write() {
        let (calls, dropped) = state.withLock { state in
            defer { (state.waiting, state.isScheduled, state.reported) = ([], false, state.dropped) }
            return (state.waiting, state.dropped - state.reported)
        }
        for call in calls { logger.info("call", metadata: call.metadata) }
        guard dropped > 0 else { return }
        logger.warning("calls not logged: too many at once", metadata: ["calls": .stringConvertible(dropped)])
    }
}

extension LoggedCall {
    /// None of the facts is the text of a peer.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": "\(method ?? .otherLabel)", "system": "\(call.system.name)", "code": "\(call.code.name)",
            "ms": .stringConvertible(duration.milliseconds),
            "bytes": .stringConvertible(call.byteCount), "principal": "\(call.principal?.logName ?? "unknown")",
        ]
        if let timeToFirstMessage { metadata["first_ms"] = .stringConvertible(timeToFirstMessage.milliseconds) }
        if let token = call.principal?.tokenID { metadata["token"] = "\(token)" }
        if let reason = call.reason { metadata["reason"] = "\(reason)" }
        if let peer = ServerAddress(peer) { metadata["peer"] = "\(peer)" }
        if let trace = call.trace { metadata["trace"] = "\(trace.traceID)" }
        if sampled > 1 { metadata["sampled"] = .stringConvertible(sampled) }
        return metadata
    }
}

extension Duration {
    fileprivate var milliseconds: Double { (self / .microseconds(1)).rounded() / 1_000 }
}

extension Principal {
    fileprivate var logName: String {
        switch proof {
        case .local: name.isEmpty ? "local" : name
        case .none: "anonymous"
        case .token, .name: name
        }
    }

    fileprivate var tokenID: String? {
        if case .token(let id, _) = proof { id } else { nil }
    }
}
