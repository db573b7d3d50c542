import Foundation
import Glibc
import LongRuns

/// A PostgreSQL server of a run, with a folder and a port of its own on this machine.
final class Database {
    let port: Int
    let folder: String
    private let programs: String
    private let user: DatabaseUser
    private let cleaner: Cleaner
    private var processID: pid_t?

    init(port: Int, folder: String, programs: String, user: DatabaseUser, cleaner: Cleaner) {
        self.port = port
        self.folder = folder
        self.programs = programs
        self.user = user
        self.cleaner = cleaner
    }

    /// The address of a database on it, as libpq takes it.
    func address(_ name: String = "postgres") -> String { "postgresql://marvel@127.0.0.1:\(port)/\(name)" }

    // MARK: Clusters

    /// Makes an empty cluster.
    func make() throws {
        try user.run([
            "\(programs)/initdb", "--no-sync", "-D", folder, "-U", "marvel", "-A", "trust", "-E", "UTF8",
            "--locale=C.UTF-8",
        ])
    }

    /// Copies another server, to follow it as its standby of this name.
    func follow(_ primary: Database, as name: String) throws {
        try? FileManager.default.removeItem(atPath: folder)
        try user.run([
            "\(programs)/pg_basebackup", "--no-sync", "--checkpoint=fast", "-D", folder, "-R", "-X", "stream",
            "-d", primary.address() + "?application_name=\(name)",
        ])
    }

    func start() async throws {
        try user.run([
            "\(programs)/pg_ctl", "-D", folder, "-l", folder + ".log", "-w", "-t", "60", "-s", "-o",
            "-c listen_addresses=127.0.0.1 -c port=\(port) -c unix_socket_directories= -c max_connections=50"
                + " -c synchronous_standby_names='ANY 1 (standby)' -c fsync=off -c restart_after_crash=on",
            "start",
        ])
        let file = try String(contentsOfFile: folder + "/postmaster.pid", encoding: .utf8)
        guard let id = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
            throw RunError("PostgreSQL at port \(port) has no process")
        }
        processID = id
        cleaner.started(id)
    }

    /// Ends without a word. What was acknowledged is in its log, as `fsync` matters only when the machine ends too.
    func crash() async throws {
        guard let id = processID else { throw RunError("PostgreSQL at port \(port) does not run") }
        // Its children end with it, and leave their shared memory to the next start.
        try user.run(["\(programs)/pg_ctl", "-D", folder, "-m", "immediate", "-w", "-s", "stop"])
        cleaner.ended(id)
        processID = nil
    }

    /// Sends a signal to the server and to all processes that serve its connections.
    func signal(_ number: Int32) throws {
        guard let id = processID else { throw RunError("PostgreSQL at port \(port) does not run") }
        let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) + [id] { kill(child, number) }
    }

    /// Makes a standby a primary.
    func promote() throws {
        try user.run(["\(programs)/pg_ctl", "-D", folder, "-w", "-s", "promote"])
    }

    // MARK: SQL

    func run(_ sql: String, in database: String = "postgres") throws {
        try user.run(["\(programs)/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", address(database), "-c", sql])
    }

    func endConnections() async throws {
        try run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'marvel'")
    }
}

/// The user that PostgreSQL runs as: it refuses to run as root.
struct DatabaseUser {
    private static let nobody: uid_t = 65_534
    private let isRoot = geteuid() == 0

    /// Makes a folder of this user.
    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if isRoot { chown(path, Self.nobody, Self.nobody) }
    }

    /// Runs a program to its end.
    ///
    /// - Throws: `RunError` with what it wrote, if it fails.
    func run(_ command: [String]) throws {
        let process = Process()
        let identity = ["setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups"]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = (isRoot ? identity : []) + command
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID().uuidString)")
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        // A file, not a pipe: the server that pg_ctl starts holds it open.
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw RunError("\(command.joined(separator: " ")): \(text)")
        }
    }
}
