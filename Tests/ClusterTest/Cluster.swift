import Foundation
import Glibc
import LongRuns
import MarvelClient

/// Replicas of marvel-server over one database with a synchronous standby.
final class Cluster {
    let cleaner: Cleaner
    let replicaCount: Int
    private(set) var primary: Database
    private(set) var standby: Database
    private let server: String
    private let folder: String
    private let user = DatabaseUser()
    private var replicas: [SupervisedProcess?]
    let endpoints: [ReplicaEndpoints]
    /// The faults between replicas and databases.
    let disturbance = Disturbance()
    /// The proxies of the databases, in the order of their ports; none if replicas reach the databases without one.
    private var proxies: [DatabaseProxy] = []
    private let hasProxies: Bool
    private var startCount = 0

    /// - Parameters:
    ///   - server: The program marvel-server.
    ///   - postgres: The folder of PostgreSQL's programs.
    ///   - replicas: The number of replicas.
    ///   - folder: The folder for all files, which is made.
    ///   - hasPorts: Whether a person can reach the replicas too, over each protocol.
    /// - Throws: `RunError` if a program is missing, or the error of the folder.
    init(server: String, postgres: String, replicas: Int, folder: String, hasPorts: Bool) throws {
        for program in [server, postgres + "/pg_ctl"] where !FileManager.default.isExecutableFile(atPath: program) {
            throw RunError("there is no program \(program)")
        }
        self.server = server
        self.folder = folder
        replicaCount = replicas
        hasProxies = !hasPorts
        self.replicas = Array(repeating: nil, count: replicas)
        cleaner = Cleaner(folder: folder)
        try user.makeFolder(folder)
        let ports = try freePorts(2 + (hasPorts ? 3 * replicas : 0))
        endpoints = (0..<replicas).map { number in
            hasPorts
                ? ReplicaEndpoints(ports: Array(ports.dropFirst(2 + 3 * number).prefix(3)))
                : ReplicaEndpoints(socketIn: folder, number)
        }
        primary = try Database(
            port: ports[0],
            folder: folder + "/database-0",
            programs: postgres,
            user: user,
            cleaner: cleaner
        )
        standby = try Database(
            port: ports[1],
            folder: folder + "/database-1",
            programs: postgres,
            user: user,
            cleaner: cleaner
        )
    }

    func start() async throws {
        try primary.make()
        try await primary.start()
        try primary.commitSynchronously()
        try await followPrimary()
        try primary.reload()
        try primary.run("CREATE DATABASE marvel")
        if hasProxies {
            for port in databasePorts { proxies.append(try await DatabaseProxy.start(to: port, disturbance)) }
        }
        for number in 0..<replicaCount { try await startReplica(number) }
    }

    private var databasePorts: [Int] { [primary.port, standby.port].sorted() }

    /// Whether the disk of the primary can be filled.
    var hasDisk: Bool { primary.disk != nil }

    private func followPrimary() async throws {
        try standby.follow(primary, as: "standby")
        try await standby.start()
    }

    /// The primary ends, and its standby takes its place.
    func failOver() async throws {
        try await primary.crash()
        try standby.promote()
        (primary, standby) = (standby, primary)
        try await followPrimary()
    }

    // MARK: Replicas

    var replicaNumbers: Range<Int> { 0..<replicaCount }

    /// The addresses of all replicas.
    var addresses: [ServerAddress] { endpoints.map(\.framed) }

    /// The process of a replica; nil if it does not run.
    func processID(ofReplica number: Int) -> pid_t? {
        replicas[number].flatMap { $0.isRunning ? $0.processID : nil }
    }

    func startReplica(_ number: Int) async throws {
        startCount += 1
        let hosts = (hasProxies ? proxies.map(\.port) : databasePorts).map { "127.0.0.1:\($0)" }
        let store = "postgresql://marvel@\(hosts.joined(separator: ","))/marvel"
        let log = "\(folder)/log-\(startCount)"
        let process = try SupervisedProcess(
            [server, "--store", store] + endpoints[number].arguments,
            output: log,
            cleaner: cleaner
        )
        replicas[number] = process
        try await wait(for: "replica \(number) to listen", atMost: .seconds(60)) {
            guard process.isRunning else {
                throw RunError("replica \(number) ended: \(try String(contentsOfFile: log, encoding: .utf8))")
            }
            return try String(contentsOfFile: log, encoding: .utf8).contains(#""message":"listening""#)
        }
    }

    func endReplica(_ number: Int, _ signal: Int32) async throws {
        guard let process = replicas[number], process.isRunning else {
            throw RunError("replica \(number) has ended by itself")
        }
        process.send(signal)
        try await process.waitForEnd()
    }

    func signalReplica(_ number: Int, _ signal: Int32) { replicas[number]?.send(signal) }

    /// The last lines of all logs.
    var lastWords: String {
        let logs = (1...max(startCount, 1)).map { "log-\($0)" } + ["database-0.log", "database-1.log"]
        return logs.suffix(5).map { name in
            let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
            return "\(name):\n" + text.split(separator: "\n").suffix(10).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

/// Finds ports of the loopback address that nobody has.
private func freePorts(_ count: Int) throws -> [Int] {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    return try (0..<count).map { _ in
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptors.append(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard status else { throw RunError("no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
