internal import ChildProcesses
internal import Foundation
package import Glibc

/// A PostgreSQL server of the tests' own: a new cluster in a temporary folder, reached by a unix socket in it.
///
/// A shell holds it, and waits for the end of its input. So the server ends with the test program, however that ends.
package final class PostgresServer: Sendable {
    /// The folder of the socket.
    package let folder: String
    private let port: Int
    private let programs: String
    /// The options of the server, as `pg_ctl` passes them on.
    private let options: String
    private let shell: ChildProcess
    /// The shell's input, which is never written.
    private let input: ReadablePipe

    /// The folder of the server programs of the newest PostgreSQL that is installed; nil if there is none.
    package static let installed: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.compactMap { Int($0) }.max()
        guard let newest, access("/usr/lib/postgresql/\(newest)/bin/initdb", X_OK) == 0 else { return nil }
        return "/usr/lib/postgresql/\(newest)/bin"
    }()

    /// The server that all tests of a run share. Each makes a database of its own.
    package static func shared() async throws -> PostgresServer { try await sharedStart.value }

    /// Tests run beside each other, and each store has four connections.
    private static let sharedStart = Task {
        try await onThread { try PostgresServer(settings: ["fsync=off", "max_connections=500"]) }
    }

    /// Makes a cluster and starts it. It blocks until the server takes connections.
    ///
    /// - Parameters:
    ///   - port: The port on which it listens, of the socket and of TCP if the settings say so.
    ///   - settings: Settings of the server, as `name=value`.
    ///   - primary: The server that it copies and then follows, as a standby; nil for a cluster of its own.
    ///   - folder: An empty folder that it takes, which may be a disk of its own; nil for a new one.
    /// - Throws: `ServerFailure` if it does not start.
    package init(
        port: Int = 5432,
        settings: [String] = [],
        following primary: PostgresServer? = nil,
        folder: String? = nil
    ) throws {
        guard let programs = Self.installed else { throw ServerFailure(description: "PostgreSQL is not installed") }
        self.programs = programs
        if let folder {
            self.folder = folder
        } else {
            var template = Array((NSTemporaryDirectory() + "/marvel-postgres-XXXXXX").utf8CString)
            guard mkdtemp(&template) != nil else { throw ServerFailure(description: "no temporary folder") }
            self.folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        }
        let folder = self.folder
        if geteuid() == 0 { chown(folder, Self.nobody, Self.nobody) }
        let output = try ReadablePipe()
        input = try ReadablePipe()
        self.port = port
        options = (["listen_addresses=", "unix_socket_directories=\(folder)", "port=\(port)"] + settings).map {
            "-c \($0)"
        }
        .joined(separator: " ")
        shell = try ChildProcess(
            "/usr/bin/setpriv",
            Self.identity + ["/bin/sh", "-c", Self.script, "sh", programs, folder, options]
                + (primary.map { [$0.folder, "\($0.port)"] } ?? []),
            input: input.readDescriptor,
            output: output.writeEnd,
            isDetached: true
        )
        input.closeReadEnd()
        output.closeWriteEnd()
        let answer = String(decoding: output.read(), as: UTF8.self)
        output.closeReadEnd()
        guard answer.hasPrefix("ready") else {
            let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
            throw ServerFailure(description: "PostgreSQL did not start: \(log.suffix(2_000))")
        }
    }

    /// The user `nobody`.
    private static let nobody: uid_t = 65_534

    /// The options of `setpriv`: PostgreSQL refuses to run as root.
    private static let identity =
        geteuid() == 0 ? ["--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"] : []

    private static let script = """
        # The tests may have ended before the server is ready.
        trap '' PIPE
        cd "$2"
        if [ -n "$4" ]; then
            "$1/pg_basebackup" --no-sync --checkpoint=fast -X stream -R -D data -h "$4" -p "$5" -U marvel >log 2>&1
        else
            "$1/initdb" --no-sync -D data -U marvel -A trust -E UTF8 --locale=C.UTF-8 >log 2>&1
        fi &&
            "$1/pg_ctl" -D data -l log -w -t 60 -o "$3" start >/dev/null 2>&1 && echo ready
        exec >/dev/null
        cat >/dev/null
        "$1/pg_ctl" -D data -m immediate stop >/dev/null 2>&1
        rm -rf "$2"
        """

    /// A server of one test's own, which the test may stop.
    ///
    /// - Parameters:
    ///   - port: The port on which it listens.
    ///   - settings: Settings of the server, as `name=value`.
    ///   - primary: The server that it follows as a standby; nil for a cluster of its own.
    ///   - folder: An empty folder that it takes; nil for a new one.
    /// - Returns: The server.
    /// - Throws: `ServerFailure` if it does not start.
    package static func own(
        port: Int = 5432,
        settings: [String] = [],
        following primary: PostgresServer? = nil,
        folder: String? = nil
    ) async throws -> PostgresServer {
        try await onThread {
            try PostgresServer(port: port, settings: settings, following: primary, folder: folder)
        }
    }

    /// Makes a standby that follows this server. It is a primary after `SELECT pg_promote()`.
    package func standby() async throws -> PostgresServer {
        try await Self.own(settings: ["fsync=off", "wal_retrieve_retry_interval=100ms"], following: self)
    }

    /// The process id of its first process; nil if it does not run.
    package var processID: pid_t? {
        let lines = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        let id = lines?.split(separator: "\n").first.flatMap { pid_t($0) }
        return id.flatMap { kill($0, 0) == 0 ? $0 : nil }
    }

    /// Makes a file the server's own, as it requires of the key of its certificate.
    package static func give(_ path: String) throws {
        guard geteuid() != 0 || chown(path, nobody, nobody) == 0 else {
            throw ServerFailure(description: "\(path) cannot be given to the server")
        }
    }

    /// Stops the server at once, and deletes its cluster. To be called once.
    package func stop() async {
        _ = try? await onThread { [self] in
            input.closeWriteEnd()
            shell.wait()
        }
    }

    /// Stops the server at once, as a crash does. Its databases stay.
    package func pause() async throws { try await control("-m", "immediate", "stop") }

    /// Starts the server again after `pause`.
    package func resume() async throws { try await control("-l", folder + "/log", "-o", options, "start") }

    private func control(_ arguments: String...) async throws {
        let command = [programs + "/pg_ctl", "-D", folder + "/data", "-s", "-w", "-t", "60"] + arguments
        let status = try await onThread { try ChildProcess("/usr/bin/setpriv", Self.identity + command).wait() }
        guard status == 0 else { throw ServerFailure(description: "pg_ctl \(arguments) ended with \(status)") }
    }

    /// The part of an address that keeps a busy machine from ending a test: a new connection may take longer than the 2 s
    /// of a store.
    package static let patience = "&connect_timeout=60"

    /// Makes an empty database.
    ///
    /// - Returns: Its address, with `patience`.
    package func makeDatabase() async throws -> String {
        let name = "test_\(UInt64.random(in: 0 ... .max))"
        try await run("CREATE DATABASE \(name)", in: "postgres")
        return "postgresql:///\(name)?host=\(folder)&port=\(port)&user=marvel\(Self.patience)"
    }

    /// Runs SQL in a database.
    ///
    /// - Parameters:
    ///   - sql: The SQL.
    ///   - address: The address or the name of a database.
    /// - Returns: What psql prints of the rows: values separated by `|`, a line for each row.
    /// - Throws: `ServerFailure` if it fails.
    @discardableResult
    package func run(_ sql: String, in address: String) async throws -> String {
        let database =
            address.contains(":") ? address : "postgresql:///\(address)?host=\(folder)&port=\(port)&user=marvel"
        let psql = try await ChildProcess.run(
            programs + "/psql",
            // Without a limit, a commit would wait for ever for a standby that is gone.
            ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", database]
                + ["-c", "SET statement_timeout = '60s'", "-c", sql]
        )
        guard psql.status == 0 else { throw ServerFailure(description: "psql: \(psql.errors)") }
        return psql.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends the connections of a database whose names end in a text.
    package func endConnections(to address: String, named suffix: String = "") async throws {
        try await run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '%\(suffix)'
            """,
            in: address
        )
    }
}

/// The reason that a test's server or statement failed.
package struct ServerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
