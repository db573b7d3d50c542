import Foundation
import TestDatabases

/// A PostgreSQL server of a run, with a folder and a port of its own on this machine.
final class Database {
    private static let settings = [
        "listen_addresses=127.0.0.1", "max_connections=50", "fsync=off",
        // It has to fit on a small disk.
        "max_wal_size=64MB", "min_wal_size=32MB",
        // A standby looks for its primary this often; commits wait for it.
        "wal_retrieve_retry_interval=100ms",
    ]

    let port: Int
    /// The disk that it has for itself; nil if there is none.
    let disk: SmallDisk?
    private let folder: String
    private let cleaner: Cleaner
    private var server: PostgresServer?

    /// - Parameters:
    ///   - port: The port that it listens at.
    ///   - folder: The folder for its files, which may become a disk.
    ///   - cleaner: Removes it at the end of the run.
    /// - Throws: The error of the folder.
    init(port: Int, folder: String, cleaner: Cleaner) throws {
        self.port = port
        self.folder = folder
        self.cleaner = cleaner
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        disk = SmallDisk(at: folder, size: "1g", cleaner: cleaner)
    }

    /// Its first process; nil if it does not run.
    var processID: pid_t? { server?.processID }

    private func made() throws -> PostgresServer {
        guard let server else { throw RunError("PostgreSQL at port \(port) does not run") }
        return server
    }

    /// Makes an empty cluster, or a copy of a server that it follows as its standby, and starts it.
    func make(following primary: Database? = nil) async throws {
        await server?.stop()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        server = try await PostgresServer.own(
            port: port,
            settings: Self.settings,
            following: primary?.made(),
            folder: folder
        )
        if let processID { cleaner.started(processID) }
    }

    /// Starts again after `crash`.
    func restart() async throws {
        try await made().resume()
        if let processID { cleaner.started(processID) }
    }

    /// Starts again if it has ended by itself, and waits until it can write.
    func recover() async throws {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            do {
                if processID == nil { try await restart() }
                return try await run("CREATE TABLE IF NOT EXISTS room (); DROP TABLE room")
            } catch {
                guard ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Ends without a word. Acknowledged changes are in its log: `fsync` matters only when the machine ends too.
    func crash() async throws {
        if let processID { cleaner.ended(processID) }
        try await made().pause()
    }

    /// Sends a signal to the server and to all processes that serve its connections.
    func signal(_ number: Int32) throws {
        guard let id = processID else { throw RunError("PostgreSQL at port \(port) does not run") }
        let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) + [id] { kill(child, number) }
    }

    func run(_ sql: String) async throws { try await made().run(sql, in: "postgres") }

    func endConnections() async throws { try await made().endConnections(to: "marvel") }
}
