import ChildProcesses
import Foundation
import TestDatabases

/// A PostgreSQL server for one run, with the settings that it has by itself: each commit is on disk. It does not vacuum by
/// itself, because that would be counted to what runs then.
final class BenchmarkDatabase {
    private let server: PostgresServer
    private let programs: String
    /// The process id of its first process, which starts all others.
    private let pid: Int32
    private var count = 0

    /// Starts the server.
    ///
    /// - Returns: The server; nil if PostgreSQL is not installed.
    init?() throws {
        guard let programs = PostgresServer.installed else { return nil }
        self.programs = programs
        server = try PostgresServer()
        guard let pid = server.processID else { throw BenchmarkError("PostgreSQL does not run") }
        self.pid = pid
        try run("ALTER SYSTEM SET autovacuum = off", in: address("postgres"))
        try run("SELECT pg_reload_conf()", in: address("postgres"))
    }

    /// Makes an empty database. The changes in others are on disk then.
    ///
    /// - Returns: Its address.
    func makeDatabase() throws -> String {
        count += 1
        try run("CHECKPOINT", in: address("postgres"))
        try run("CREATE DATABASE bench_\(count)", in: address("postgres"))
        return address("bench_\(count)")
    }

    /// Runs SQL in a database.
    func run(_ sql: String, in address: String) throws {
        let psql = [programs + "/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql]
        _ = try PinnedProcess.output(core: nil, psql)
    }

    private func address(_ name: String) -> String { "postgresql:///\(name)?host=\(server.folder)&user=marvel" }

    /// The processor time of all its processes that run now, in nanoseconds. One that ends takes its time along.
    func cpu() throws -> [Int32: Double] {
        var times: [Int32: Double] = [:]
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            // proc(5), stat: the fourth field is the parent. The second, in parentheses, may hold spaces.
            guard let process = Int32(entry),
                let stat = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8),
                let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 1,
                process == pid || Int32(fields[1]) == pid
            else { continue }
            times[process] = try? ProcessUsage(pid: process).cpu()
        }
        return times
    }
}
