import MarvelClient
import SoakChecks

/// A server that nobody calls but to measure: what its health check costs is how fast the machine is at that moment.
struct Control {
    let server: Server
    private let usage: Usage
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

    /// - Parameters:
    ///   - share: The share of a probe's calls that is made.
    ///   - syncs: How many syncs of the disk to add to the latency.
    /// - Returns: The cost of a health check.
    /// - Throws: If the server does not answer.
    func measure(share: Double, syncs: Double) async throws -> ProbeResult {
        guard let result = try await Probe.health.measure(over: client, usage, share: share) else {
            throw RPCError(.unavailable, "the control does not answer")
        }
        let sync = syncs > 0 ? try medianOf((0..<10).map { _ in try disk.measure() }) ?? 0 : 0
        return ProbeResult(processorTime: result.processorTime, latency: result.latency + syncs * sync)
    }

    func shutdown() async { await client.shutdown() }
}
