internal import CPostgres
internal import Glibc

/// A statement of the store. Its text is prepared once in each connection.
struct Statement {
    let name: String
    let text: String
    /// Whether a plan is kept. A statement whose best plan depends on its parameters is planned each time.
    var isPrepared = true
}

/// A connection to a primary server, used by one thread. Every wait is bounded.
///
/// A statement is never cancelled: PostgreSQL reports a commit that is cancelled while it waits for a standby as a
/// success. A connection whose server does not answer in time is closed, and the outcome is unknown.
final class PostgresConnection {
    static let connectSeconds = 2
    /// The time for a statement. The server itself ends one after 10 s, but not a commit that waits for a standby.
    static let statementTimeout = Duration.seconds(12)

    private let connection: OpaquePointer
    private let timeout: Duration
    private let notices = NoticeRecord()
    private var prepared: Set<String> = []
    /// The reason that the connection cannot be used any more.
    private(set) var loss: DatabaseFault?
    /// The process of the server that serves the connection.
    let backendID: Int32

    /// Connects to a host that is a primary, and blocks meanwhile: at most 2 s for each numeric address of the host.
    ///
    /// It does not use the connecting of libpq that does not block, because that knows no time limit: a host that does not
    /// answer would keep the others from being tried.
    ///
    /// - Parameters:
    ///   - address: The address. Its options have precedence over those set here.
    ///   - hosts: One of the hosts of the address; nil if it has only one.
    ///   - name: The name under which the server's administrator sees the connection.
    ///   - timeout: The maximum wait for the results of a statement.
    /// - Throws: `.notConnected`, or the server's error.
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
        // A value behind the address replaces that of the address, unless it is empty.
        if let hosts { options += [("host", hosts.names), ("hostaddr", hosts.addresses), ("port", hosts.ports)] }
        var keywords = options.map { UnsafePointer(strdup($0.0)) } + [nil]
        var values = options.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let connection = PQconnectdbParams(&keywords, &values, 1) else {
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
        PQsetNoticeReceiver(connection, NoticeRecord.receive, Unmanaged.passUnretained(notices).toOpaque())
    }

    deinit { PQfinish(connection) }

    var socket: Int32 { PQsocket(connection) }

    /// The host as the address names it, or the folder of its socket.
    var host: String { PQhost(connection).map { String(cString: $0) } ?? "" }

    // MARK: Statements

    struct Call {
        let statement: Statement
        let parameters: Parameters

        init(_ statement: Statement, _ parameters: Parameters = Parameters()) {
            (self.statement, self.parameters) = (statement, parameters)
        }
    }

    /// Runs a statement and waits for its rows.
    ///
    /// - Throws: The server's error, or `.connectionLost` if the outcome is unknown.
    @discardableResult
    func run(_ statement: Statement, _ parameters: Parameters = Parameters()) throws(DatabaseFault) -> Rows {
        let call = Call(statement, parameters)
        try prepare(call)
        notices.clear()
        try send(call)
        let rows = try receive(within: timeout)
        try requireReplication()
        return rows
    }

    /// Runs statements in one round trip and one transaction. Nothing is taken for done before the end of the transaction is
    /// known: with a standby that is waited for, the rows arrive before that.
    ///
    /// - Returns: The rows of each statement.
    /// - Throws: The server's error, after which nothing is done; or `.connectionLost` if the outcome is unknown.
    func runTogether(_ calls: [Call]) throws(DatabaseFault) -> [Rows] {
        for call in calls { try prepare(call) }
        notices.clear()
        try send { PQenterPipelineMode($0) }
        for call in calls { try send(call) }
        try send { PQpipelineSync($0) }
        let rows = try receivePipeline(within: timeout)
        guard PQexitPipelineMode(connection) == 1 else {
            throw lost(String(cString: PQerrorMessage(connection)).oneLine)
        }
        try requireReplication()
        guard rows.count == calls.count else { throw lost("\(rows.count) results of \(calls.count) statements") }
        return rows
    }

    private func prepare(_ call: Call) throws(DatabaseFault) {
        let statement = call.statement
        guard statement.isPrepared, !prepared.contains(statement.name) else { return }
        let types = call.parameters.types
        try send { PQsendPrepare($0, statement.name, statement.text, Int32(types.count), types) }
        _ = try receive(within: timeout)
        prepared.insert(statement.name)
    }

    private func send(_ call: Call) throws(DatabaseFault) {
        let (statement, parameters) = (call.statement, call.parameters)
        try send { connection in
            parameters.withPointers { values, lengths, formats in
                let count = Int32(parameters.values.count)
                return statement.isPrepared
                    ? PQsendQueryPrepared(connection, statement.name, count, values, lengths, formats, 1)
                    : PQsendQueryParams(
                        connection,
                        statement.text,
                        count,
                        parameters.types,
                        values,
                        lengths,
                        formats,
                        1
                    )
            }
        }
    }

    /// Runs statements without parameters whose rows nobody needs.
    ///
    /// - Parameters:
    ///   - text: The statements, which are sent at once.
    ///   - limit: The maximum wait for their results; nil for that of the connection.
    /// - Throws: The server's error, or `.connectionLost` if the outcome is unknown.
    func execute(_ text: String, within limit: Duration? = nil) throws(DatabaseFault) {
        notices.clear()
        try send { PQsendQuery($0, text) }
        _ = try receive(within: limit ?? timeout)
        try requireReplication()
    }

    /// Throws if a commit was not replicated because its wait was cancelled: that is a success with a warning.
    private func requireReplication() throws(DatabaseFault) {
        guard notices.hasUnreplicatedCommit else { return }
        throw lost("the database's administrator ended the wait for a standby: the outcome is unknown")
    }

    private func send(_ body: (OpaquePointer) -> Int32) throws(DatabaseFault) {
        if let loss { throw loss }
        guard body(connection) == 1 else { throw lost(String(cString: PQerrorMessage(connection)).oneLine) }
    }

    private func receive(within limit: Duration) throws(DatabaseFault) -> Rows {
        let end = ContinuousClock.now + limit
        var last: Rows?
        var failure: DatabaseFault?
        while let result = try nextResult(until: end, limit) {
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: last = Rows(owning: result)
            default:
                failure = fault(result)
                PQclear(result)
            }
        }
        if let failure { throw failure }
        guard let last else { throw lost(String(cString: PQerrorMessage(connection)).oneLine) }
        return last
    }

    private func receivePipeline(within limit: Duration) throws(DatabaseFault) -> [Rows] {
        let end = ContinuousClock.now + limit
        var rows: [Rows] = []
        var failure: DatabaseFault?
        while true {
            guard let result = try nextResult(until: end, limit) else {
                guard PQstatus(connection) == CONNECTION_OK else {
                    throw lost(String(cString: PQerrorMessage(connection)).oneLine)
                }
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows.append(Rows(owning: result))
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if let failure {
                    _ = PQexitPipelineMode(connection)
                    throw failure
                }
                return rows
            case PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                failure = failure ?? fault(result)
                PQclear(result)
                if let loss { throw loss }
            }
        }
    }

    /// Returns the next result; nil after the last one.
    private func nextResult(
        until end: ContinuousClock.Instant,
        _ limit: Duration
    ) throws(DatabaseFault) -> OpaquePointer? {
        while true {
            let unsent = PQflush(connection)
            guard unsent >= 0 else { throw lost(String(cString: PQerrorMessage(connection)).oneLine) }
            if unsent == 0, PQisBusy(connection) == 0 { return PQgetResult(connection) }
            guard wait(writing: unsent > 0, until: end) else {
                throw lost("the server did not answer within \(limit)")
            }
            try consume()
        }
    }

    private func fault(_ result: OpaquePointer) -> DatabaseFault {
        let message = String(cString: PQresultErrorMessage(result)).oneLine
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { SQLState(String(cString: $0)) }
        guard PQstatus(connection) == CONNECTION_OK, let state else { return lost(message) }
        return DatabaseFault(kind: .server(state), message: message)
    }

    private func lost(_ message: String) -> DatabaseFault {
        let fault = DatabaseFault(kind: .connectionLost, message: message)
        if loss == nil { loss = fault }
        return fault
    }

    // MARK: Waiting

    private func consume() throws(DatabaseFault) {
        guard PQconsumeInput(connection) == 1 else { throw lost(String(cString: PQerrorMessage(connection)).oneLine) }
    }

    /// Waits until the server sends something outside of a statement, or somebody wakes the thread.
    func wait(or wakeup: Wakeup, timeout: Duration?) throws(DatabaseFault) {
        if let loss { throw loss }
        if wakeup.wait(beside: socket, timeout: timeout) { try consume() }
    }

    /// Takes the notifications that have arrived, and returns whether one is of another backend than `own`.
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

/// The warnings that a server sent beside the results of a statement. libpq calls `receive` on the connection's thread.
private final class NoticeRecord {
    private(set) var hasUnreplicatedCommit = false

    func clear() { hasUnreplicatedCommit = false }

    static let receive: PQnoticeReceiver = { context, result in
        func field(_ letter: Character) -> String? {
            letter.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }.map { String(cString: $0) }
        }
        guard let context, let result else { return }
        // 01000 is any warning, also that of an operator's trigger. PostgreSQL's own names the source of the wait.
        guard field("C") == "01000", field("F") == "syncrep.c" else { return }
        Unmanaged<NoticeRecord>.fromOpaque(context).takeUnretainedValue().hasUnreplicatedCommit = true
    }
}

extension Parameters {
    /// Calls `body` with the arrays of libpq: pointers to the values, their lengths, and their formats.
    fileprivate func withPointers(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Int32
    ) -> Int32 {
        var pointers: [UnsafePointer<CChar>?] = []
        return values[...].addPointers(to: &pointers) {
            body($0, values.map { Int32($0?.count ?? 0) }, values.map { _ in 1 })
        }
    }
}

extension ArraySlice<[UInt8]?> {
    /// Adds pointers to all values, which are valid in `body`.
    fileprivate func addPointers(
        to pointers: inout [UnsafePointer<CChar>?],
        _ body: ([UnsafePointer<CChar>?]) -> Int32
    ) -> Int32 {
        guard let value = first else { return body(pointers) }
        guard let value else {
            pointers.append(nil)
            return dropFirst().addPointers(to: &pointers, body)
        }
        return value.withUnsafeBytes { bytes in
            // An empty value needs a pointer too, because null means null.
            withUnsafePointer(to: CChar(0)) { empty in
                pointers.append(bytes.bindMemory(to: CChar.self).baseAddress ?? empty)
                return dropFirst().addPointers(to: &pointers, body)
            }
        }
    }
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
    fileprivate var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: "; ") }
}
