import ChildProcesses
import Foundation
import Glibc
import MarvelClient

/// Replicas of marvel-server over one database with a synchronous standby.
final class Cluster: Stage {
    let cleaner: Cleaner
    let hasReplicas = true
    private(set) var primary: Database
    private(set) var standby: Database
    /// The addresses of all replicas, which each has in all of its processes.
    let lastingAddresses: [ServerAddress]
    /// The faults between replicas and databases.
    let disturbance = Disturbance()
    private let server: String
    private let folder: String
    private let isForPeople: Bool
    private var replicas: [ServerProcess?]
    /// The proxies of the databases, in the order of their ports; none if replicas reach the databases without one.
    private var proxies: [DatabaseProxy] = []
    private var startCount = 0

    /// - Parameters:
    ///   - server: The program marvel-server.
    ///   - replicas: The number of replicas.
    ///   - folder: The folder for all files, which is made.
    ///   - isForPeople: Whether people can reach the replicas over each protocol. No proxies disturb them then.
    /// - Throws: `RunError` if a program is missing, or the error of the folder.
    init(server: String, replicas: Int, folder: String, isForPeople: Bool) throws {
        self.server = server
        self.folder = folder
        self.isForPeople = isForPeople
        self.replicas = Array(repeating: nil, count: replicas)
        cleaner = Cleaner(folder: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let ports = try freePorts(2 + replicas)
        lastingAddresses = (0..<replicas).map { number in
            isForPeople
                ? .tcp(host: "127.0.0.1", port: ports[2 + number]) : .unix(path: "\(folder)/replica-\(number)")
        }
        let databases = try (0...1).map { [cleaner] number in
            try Database(port: ports[number], folder: "\(folder)/db-\(number)", cleaner: cleaner)
        }
        (primary, standby) = (databases[0], databases[1])
    }

    func start() async throws {
        try await primary.make()
        // A commit waits until a standby has it.
        try await primary.run("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'")
        try await standby.make(following: primary)
        try await primary.run("SELECT pg_reload_conf()")
        try await primary.run("CREATE DATABASE marvel")
        if !isForPeople {
            for port in databasePorts { proxies.append(try await DatabaseProxy.start(to: port, disturbance)) }
        }
        for number in replicaNumbers { try await startReplica(number) }
    }

    private var databasePorts: [Int] { [primary.port, standby.port].sorted() }

    /// The primary ends, and its standby takes its place.
    func failOver() async throws {
        try await primary.crash()
        try await standby.run("SELECT pg_promote()")
        (primary, standby) = (standby, primary)
        try await standby.make(following: primary)
    }

    // MARK: Replicas

    var replicaNumbers: Range<Int> { replicas.indices }

    func addresses() -> [ServerAddress] { lastingAddresses }

    /// The process of a replica; nil if it does not run.
    func replica(_ number: Int) -> ServerProcess? { replicas[number].flatMap { $0.isRunning ? $0 : nil } }

    func startReplica(_ number: Int) async throws {
        startCount += 1
        let hosts = (isForPeople ? databasePorts : proxies.map(\.port)).map { "127.0.0.1:\($0)" }
        let other = isForPeople ? "127.0.0.1:0" : "off"
        replicas[number] = try await ServerProcess(
            [
                server, "--store", "postgresql://marvel@\(hosts.joined(separator: ","))/marvel",
                "--framed", lastingAddresses[number].description, "--http", other, "--operations", other,
            ],
            listeners: isForPeople ? 3 : 1,
            log: "\(folder)/log-\(startCount)",
            cleaner: cleaner
        )
    }

    func endReplica(_ number: Int, _ signal: Int32) async throws {
        guard let process = replica(number) else { throw RunError("replica \(number) ended unexpectedly") }
        try await process.end(with: signal)
    }

    func signalReplica(_ number: Int, _ signal: Int32) { replicas[number]?.send(signal) }

    /// The last lines of the newest logs.
    var lastWords: String {
        let logs = (1...max(startCount, 1)).map { "log-\($0)" } + ["db-0/log", "db-1/log"]
        return logs.suffix(5).map { "\($0):\n\(lastLines(of: "\(folder)/\($0)"))" }.joined(separator: "\n")
    }

    var summary: String? {
        let counts = disturbance.counts
        return """
            \(counts.cuts) connections cut in the middle, \(counts.droppedNotifications) notifications lost, \
            \(counts.delayedNotifications) late, \(counts.delayedBytes / 1_024) KiB of feeds late
            """
    }
}

/// Finds ports of the loopback address that nobody has.
private func freePorts(_ count: Int) throws -> [Int] {
    let sockets = try (0..<count).map { _ in try bindToLoopback() }
    defer { for socket in sockets { close(socket.descriptor) } }
    return sockets.map(\.port)
}
