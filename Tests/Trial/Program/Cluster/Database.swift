import Foundation
import Glibc

/// A PostgreSQL server of a run, with a folder and a port of its own on this machine.
final class Database {
    let port: Int
    let folder: String
    /// The disk that it has for itself; nil if there is none.
    let disk: SmallDisk?
    private let log: String
    private let programs: String
    private let user: DatabaseUser
    private let cleaner: Cleaner
    private var process: SupervisedProcess?

    /// - Parameters:
    ///   - port: The port that it listens at.
    ///   - folder: The folder for its disk and its log.
    ///   - programs: The folder of PostgreSQL's programs.
    ///   - user: The user that it runs as.
    ///   - cleaner: Removes it at the end of the run.
    /// - Throws: The error of the folder.
    init(port: Int, folder: String, programs: String, user: DatabaseUser, cleaner: Cleaner) throws {
        self.port = port
        try user.makeFolder(folder)
        disk = SmallDisk(at: folder, size: "1g", cleaner: cleaner)
        // The mounted folder has an owner of its own.
        try user.own(folder)
        self.folder = folder + "/data"
        log = folder + ".log"
        self.programs = programs
        self.user = user
        self.cleaner = cleaner
    }

    /// Its process; nil if it does not run.
    var processID: pid_t? { process.flatMap { $0.isRunning ? $0.processID : nil } }

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
        let settings = [
            "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=", "max_connections=50", "fsync=off",
            // It has to fit on a small disk.
            "max_wal_size=64MB", "min_wal_size=32MB",
        ]
        let command = user.command(["\(programs)/postgres", "-D", folder] + settings.flatMap { ["-c", $0] })
        let process = try SupervisedProcess(command, output: log, cleaner: cleaner)
        self.process = process
        try await wait(for: "PostgreSQL at port \(port) to start", atMost: .seconds(60)) {
            guard process.isRunning else { throw RunError("PostgreSQL at port \(port) has ended") }
            return (try? user.run(["\(programs)/pg_isready", "-q", "-h", "127.0.0.1", "-p", "\(port)"])) != nil
        }
    }

    /// Starts again if it has ended by itself, and waits until it takes connections.
    func recover() async throws {
        // It may notice only now that it cannot go on.
        for _ in 0..<3 {
            do {
                if process?.isRunning != true { try await start() }
                try await wait(for: "PostgreSQL at port \(port) to recover", atMost: .seconds(60)) {
                    guard process?.isRunning == true else { throw RunError("PostgreSQL at port \(port) has ended") }
                    return (try? run("CREATE TABLE IF NOT EXISTS room (); DROP TABLE room")) != nil
                }
                return
            } catch let error as RunError where process?.isRunning != true {
                show("\(error); it is started again")
            }
        }
        throw RunError("PostgreSQL at port \(port) does not recover")
    }

    /// Ends without a word. What was acknowledged is in its log: `fsync` matters only when the machine ends too.
    func crash() async throws {
        guard let process else { throw RunError("PostgreSQL at port \(port) does not run") }
        process.send(SIGQUIT)
        try await process.waitForEnd()
        self.process = nil
    }

    /// Sends a signal to the server and to all processes that serve its connections.
    func signal(_ number: Int32) throws {
        guard let id = process?.processID else { throw RunError("PostgreSQL at port \(port) does not run") }
        let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) + [id] { kill(child, number) }
    }

    // MARK: SQL

    func run(_ sql: String, in database: String = "postgres") throws {
        try user.run(["\(programs)/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", address(database), "-c", sql])
    }

    func endConnections() throws {
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
        try own(path)
    }

    /// Gives a folder to this user.
    func own(_ path: String) throws {
        guard isRoot else { return }
        guard chown(path, Self.nobody, Self.nobody) == 0 else { throw RunError("\(path) cannot be given away") }
    }

    /// Returns the command that runs another one as this user.
    func command(_ command: [String]) -> [String] {
        let identity = ["setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups"]
        return isRoot ? identity + command : command
    }

    /// Runs a program to its end.
    ///
    /// - Throws: `RunError` with what it wrote, if it fails.
    func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = self.command(command)
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw RunError("\(command.joined(separator: " ")): \(text)") }
    }
}
