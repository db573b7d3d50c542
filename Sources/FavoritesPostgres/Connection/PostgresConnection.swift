internal import CPostgres
internal import Glibc

/// A statement of the store. It is prepared under its name, once in each connection; without a name it is not prepared.
struct Statement {
    var name = ""
    let text: String

    var isPrepared: Bool { !name.isEmpty }
}

/// A literal is planned each time, because it is rare, or its best plan depends on its parameters.
extension Statement: ExpressibleByStringInterpolation {
    init(stringLiteral text: String) { self.init(text: text) }
}

/// A connection to a primary server, used by one thread. Every wait is bounded.
///
/// A statement is never cancelled: PostgreSQL reports a commit that is cancelled while it waits for a standby as a
/// success. A connection whose server does not answer in time is closed, and the outcome is unknown.
final class PostgresConnection {
    private static let connectSeconds = 2
    /// The server itself ends a statement after 10 s, but not a commit that waits for a standby.
    static let statementTimeout = Duration.seconds(12)

    private let connection: OpaquePointer
    private let timeout: Duration
    private var prepared: Set<String> = []
    /// The reason that the connection cannot be used any more.
    private var loss: DatabaseFault?
    /// Whether the server warned that the last commit is on no standby, because its wait was cancelled.
    private var isUnreplicated = false
    /// The process of the server that serves the connection.
    let backendID: Int32
    /// The cluster of the server; nil if it was not read.
    var cluster: ServedCluster?

    /// Connects to a host that is a primary, and blocks for at most 2 s for each numeric address of the host.
    init(
        _ address: DatabaseAddress,
        hosts: HostList? = nil,
        name: String,
        timeout: Duration = PostgresConnection.statementTimeout
    ) throws(DatabaseFault) {
        var options: [(String, String)] = [
            ("connect_timeout", "\(Self.connectSeconds)"), ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "3"), ("target_session_attrs", "read-write"),
            ("fallback_application_name", name), ("dbname", address.text), ("client_encoding", "UTF8"),
        ]
        // A value after the address replaces that of the address, unless it is empty.
        if let hosts { options += [("host", hosts.names), ("hostaddr", hosts.addresses), ("port", hosts.ports)] }
        // libpq's other way to connect has no timeout: a host that does not answer would keep the others from being tried.
        guard let connection = withOptions(options, { PQconnectdbParams($0, $1, 1) }) else {
            throw DatabaseFault(kind: .notConnected, message: "libpq is out of memory")
        }
        guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0 else {
            let message = String(cString: PQerrorMessage(connection)).oneLine
            PQfinish(connection)
            throw DatabaseFault(kind: .notConnected, message: message)
        }
        self.connection = connection
        self.timeout = timeout
        backendID = PQbackendPID(connection)
        PQsetNoticeReceiver(connection, Self.receiveNotice, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { PQfinish(connection) }

    var socket: Int32 { PQsocket(connection) }

    /// The host as the address names it, or the folder of its socket.
    var host: String { PQhost(connection).map { String(cString: $0) } ?? "" }

    // MARK: Statements

    struct Call {
        let statement: Statement
        let parameters: Parameters

        init(_ statement: Statement, _ parameters: Parameters) {
            (self.statement, self.parameters) = (statement, parameters)
        }

        init<each Value: ParameterValue>(_ statement: Statement, _ value: repeat each Value) {
            self.init(statement, Parameters(repeat each value))
        }
    }

    /// Runs a statement, and throws `.connectionLost` if its outcome is unknown.
    @discardableResult
    func run<each Value: ParameterValue>(
        _ statement: Statement,
        _ value: repeat each Value
    ) throws(DatabaseFault) -> Rows {
        try run(Call(statement, repeat each value))
    }

    func run(_ call: Call) throws(DatabaseFault) -> Rows {
        try prepare(call)
        isUnreplicated = false
        try send(call)
        let rows = try receive(until: .now + timeout)
        try requireReplication()
        return rows
    }

    /// Runs statements in one round trip and one transaction, and throws `.connectionLost` if its outcome is unknown.
    func runTogether(_ calls: [Call]) throws(DatabaseFault) -> [Rows] {
        for call in calls { try prepare(call) }
        isUnreplicated = false
        try send { PQenterPipelineMode($0) }
        for call in calls { try send(call) }
        try send { PQpipelineSync($0) }
        let rows = try receivePipeline(until: .now + timeout)
        guard PQexitPipelineMode(connection) == 1 else { throw lost() }
        try requireReplication()
        guard rows.count == calls.count else { throw lost("\(rows.count) results of \(calls.count) statements") }
        return rows
    }

    private func prepare(_ call: Call) throws(DatabaseFault) {
        let statement = call.statement
        guard statement.isPrepared, !prepared.contains(statement.name) else { return }
        let types = call.parameters.types
        try send { PQsendPrepare($0, statement.name, statement.text, Int32(types.count), types) }
        _ = try receive(until: .now + timeout)
        prepared.insert(statement.name)
    }

    private func send(_ call: Call) throws(DatabaseFault) {
        let (statement, parameters) = (call.statement, call.parameters)
        let (types, lengths, values) = (parameters.types, parameters.lengths, parameters.pointers)
        let (count, formats) = (Int32(types.count), types.map { _ in 1 as Int32 })
        try send { connection in
            withExtendedLifetime(parameters) {
                statement.isPrepared
                    ? PQsendQueryPrepared(connection, statement.name, count, values, lengths, formats, 1)
                    : PQsendQueryParams(connection, statement.text, count, types, values, lengths, formats, 1)
            }
        }
    }

    /// Runs statements that are sent at once, and throws `.connectionLost` if their outcome is unknown.
    func execute(_ text: String, within limit: Duration? = nil) throws(DatabaseFault) {
        isUnreplicated = false
        try send { PQsendQuery($0, text) }
        _ = try receive(until: .now + (limit ?? timeout))
        try requireReplication()
    }

    private func requireReplication() throws(DatabaseFault) {
        guard isUnreplicated else { return }
        throw lost("the database's administrator ended the wait for a standby: the outcome is unknown")
    }

    private func send(_ body: (OpaquePointer) -> Int32) throws(DatabaseFault) {
        if let loss { throw loss }
        guard body(connection) == 1 else { throw lost() }
    }

    private func receive(until end: ContinuousClock.Instant) throws(DatabaseFault) -> Rows {
        var last: Rows?
        var failure: DatabaseFault?
        while let rows = try nextRows(until: end) {
            switch PQresultStatus(rows.result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: last = rows
            default: failure = fault(rows)
            }
        }
        if let failure { throw failure }
        guard let last else { throw lost() }
        return last
    }

    /// Returns the rows of each statement. They count from the end of the transaction on: with a synchronous standby they arrive
    /// before it.
    private func receivePipeline(until end: ContinuousClock.Instant) throws(DatabaseFault) -> [Rows] {
        var all: [Rows] = []
        var failure: DatabaseFault?
        while true {
            guard let rows = try nextRows(until: end) else {
                guard PQstatus(connection) == CONNECTION_OK else { throw lost() }
                continue
            }
            switch PQresultStatus(rows.result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: all.append(rows)
            case PGRES_PIPELINE_SYNC:
                guard let failure else { return all }
                _ = PQexitPipelineMode(connection)
                throw failure
            case PGRES_PIPELINE_ABORTED: break
            default:
                failure = failure ?? fault(rows)
                if let loss { throw loss }
            }
        }
    }

    private func nextRows(until end: ContinuousClock.Instant) throws(DatabaseFault) -> Rows? {
        while true {
            let unsent = PQflush(connection)
            guard unsent >= 0 else { throw lost() }
            if unsent == 0, PQisBusy(connection) == 0 { return PQgetResult(connection).map { Rows(owning: $0) } }
            guard wait(writing: unsent > 0, until: end) else { throw lost("the server did not answer in time") }
            try consume()
        }
    }

    private func fault(_ rows: Rows) -> DatabaseFault {
        let message = String(cString: PQresultErrorMessage(rows.result)).oneLine
        let state = PQresultErrorField(rows.result, Int32(UInt8(ascii: "C"))).map { SQLState(String(cString: $0)) }
        guard PQstatus(connection) == CONNECTION_OK, let state else { return lost(message) }
        return DatabaseFault(kind: .server(state), message: message)
    }

    /// Makes the fault that ends the connection, with libpq's message if there is no other.
    private func lost(_ message: String? = nil) -> DatabaseFault {
        let message = message ?? String(cString: PQerrorMessage(connection)).oneLine
        let fault = DatabaseFault(kind: .connectionLost, message: message)
        loss = loss ?? fault
        return fault
    }

    private static let receiveNotice: PQnoticeReceiver = { context, result in
        func field(_ letter: UInt8) -> String? {
            PQresultErrorField(result, Int32(letter)).map { String(cString: $0) }
        }
        // 01000 is any warning, also that of an operator's trigger. PostgreSQL's own names the source of the wait.
        guard field(UInt8(ascii: "C")) == "01000", field(UInt8(ascii: "F")) == "syncrep.c", let context else { return }
        Unmanaged<PostgresConnection>.fromOpaque(context).takeUnretainedValue().isUnreplicated = true
    }

    // MARK: Waiting

    private func consume() throws(DatabaseFault) {
        guard PQconsumeInput(connection) == 1 else { throw lost() }
    }

    /// Waits until the server sends something, or somebody wakes the thread.
    func wait(or wakeup: Wakeup, timeout: Duration?) throws(DatabaseFault) {
        if let loss { throw loss }
        if wakeup.wait(beside: socket, timeout: timeout) { try consume() }
    }

    /// Takes the notifications that have arrived, and returns whether one is of another backend.
    func takeNotifications(otherThan own: Int32) -> Bool {
        var isOther = false
        while let notification = PQnotifies(connection) {
            if notification.pointee.be_pid != own { isOther = true }
            PQfreemem(notification)
        }
        return isOther
    }

    private func wait(writing: Bool, until end: ContinuousClock.Instant) -> Bool {
        var events = pollfd(fd: socket, events: Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0), revents: 0)
        while true {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return false }
            let count = poll(&events, 1, rest.pollTimeout)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
    }
}

extension Parameters {
    /// The places of the values, which are valid until one is added or a column changes; nil for null. An empty value has a
    /// place too.
    fileprivate var pointers: [UnsafePointer<CChar>?] {
        zip(places, lengths).map { place, length in
            guard length >= 0 else { return nil }
            return place.memory.bytes.baseAddress.map { ($0 + place.start).assumingMemoryBound(to: CChar.self) }
        }
    }
}

func withOptions<Result>(
    _ options: [(String, String)],
    _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> Result
) -> Result {
    let keywords = options.map { UnsafePointer(strdup($0.0)) } + [nil]
    let values = options.map { UnsafePointer(strdup($0.1)) } + [nil]
    defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
    return body(keywords, values)
}

/// Returns the options that have a value, by their keywords, and frees them.
func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
        option += 1
    }
    return values
}

extension Duration {
    /// The time for poll(2), in milliseconds, at least 1.
    var pollTimeout: Int32 {
        let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(1, milliseconds))
    }
}

extension String {
    /// The text in one line, because libpq's messages have several.
    var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: "; ") }
}
