internal import RPCCore
internal import WireMessages

extension CharacterService {
    func checkHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try HealthCheckRequest(call)
        guard let health = health(of: request.service) else { throw .serviceUnknown() }
        return .last(health.status)
    }

    func watchHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try HealthCheckRequest(call)
        return .source(HealthWatcher(of: health(of: request.service) ?? UnknownService.log))
    }

    func listHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        _ = try HealthListRequest(call)
        let statuses = healthNames.map { name in
            let isServing = health(of: name)?.isServing ?? false
            let status = HealthCheckResponse(status: isServing ? .serving : .notServing)
            return HealthListResponse.StatusesEntry(key: name, value: status)
        }
        return .last(HealthListResponse(statuses: statuses).encoded())
    }

    /// Nil if the server has no service of the name.
    private func health(of name: String) -> ServiceHealth? {
        if name == ServiceHealth.storeName { return storeHealth }
        return healthNames.contains(name) ? health : nil
    }
}

private final class HealthWatcher: MessageSource {
    private let log: any MessageLog

    init(of log: any MessageLog) { self.log = log }

    var cursor: LogCursor? { LogCursor(log, after: -1) { [log] _ in HealthWatcher(of: log) } }

    /// Ends the watch. The runner never calls it: the log keeps the last status, so a reader misses none.
    func next() throws(RPCError) -> Step { .end }
}

private final class UnknownService: MessageLog {
    static let log = UnknownService()

    private let status = EncodedMessage(HealthCheckResponse(status: .serviceUnknown).encoded())

    func entry(after number: Int64) -> LogEntry { number < 0 ? .message(status, number: 0) : .nothing }

    func listen(_ waker: Waker) -> @Sendable () -> Void { {} }
}
