internal import RPCCore
internal import WireMessages

/// The methods of `grpc.health.v1.Health`. The empty name means the server as a whole.
extension CharacterService {
    /// Handles `Check`: the status of a service now.
    func checkHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try HealthCheckRequest(call)
        guard healthNames.contains(request.service) else { throw .serviceUnknown() }
        return .last(health.status)
    }

    /// Handles `Watch`: the status of a service now, and each new one. An unknown service stays unknown.
    func watchHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try HealthCheckRequest(call)
        return .source(HealthWatcher(of: healthNames.contains(request.service) ? health : UnknownService.log))
    }

    /// Handles `List`: the status of every service.
    func listHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        _ = try HealthListRequest(call)
        let status = HealthCheckResponse(status: health.isServing ? .serving : .notServing)
        let statuses = healthNames.map { HealthListResponse.StatusesEntry(key: $0, value: status) }
        return .last(HealthListResponse(statuses: statuses).encoded())
    }
}

/// The messages of a `Watch`: the entries of a log of statuses, from its first on.
private final class HealthWatcher: MessageSource {
    private let log: any MessageLog

    init(of log: any MessageLog) { self.log = log }

    var cursor: LogCursor? { LogCursor(log, after: -1) { [log] _ in HealthWatcher(of: log) } }

    /// Ends the watch. The runner never calls it: the log keeps the last status, so that a reader misses none.
    func next() throws(RPCError) -> Step { .end }
}

/// The log of a service that the server does not have, and never will.
private final class UnknownService: MessageLog {
    static let log = UnknownService()

    private let status = EncodedMessage(HealthCheckResponse(status: .serviceUnknown).encoded())

    func entry(after number: Int64) -> LogEntry { number < 0 ? .message(status, number: 0) : .nothing }

    func listen(_ waker: Waker) -> @Sendable () -> Void { {} }
}
