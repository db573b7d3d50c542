import MarvelClient
import SoakChecks

/// A server that nobody calls but to measure: what its health check costs is how fast the machine is at that moment.
struct Control {
    let server: Server
    let usage: Usage
    private let client: MarvelClient
    private let disk: DiskSync

    /// - Parameters:
    ///   - server: The running server.
    ///   - syncFile: A file on the disk of the stores.
    /// - Throws: If the server has ended.
    init(_ server: Server, syncFile: String) throws {
        self.server = server
        usage = try Usage(server)
        client = MarvelClient(servers: [server.address], retries: false)
        disk = try DiskSync(file: syncFile)
    }

    func call() async throws { _ = try await client.health() }

    /// What so many syncs of the disk cost now, in microseconds.
    func sync(times count: Double) throws -> Double {
        guard count > 0 else { return 0 }
        return try count * (medianOf((0..<10).map { _ in try disk.measure() }) ?? 0)
    }

    func shutdown() async { await client.shutdown() }
}
