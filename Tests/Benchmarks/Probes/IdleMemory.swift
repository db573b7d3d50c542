import ChildProcesses

/// The resident memory of an idle connection.
struct IdleMemory: Encodable {
    let connections: Int
    /// KiB for each connection that has said Hello.
    let afterHello: Double
    /// KiB for each connection over gRPC that has called for one page; buffers that a call needed count then.
    let overGRPCAfterPage: Double

    /// Each server is new, so that no memory that another load has left behind is counted as free.
    init(connections: Int, in laboratory: Laboratory) throws {
        self.connections = connections
        Progress.show("memory of \(connections) idle connections")
        let working = ["--connections", "1", "--in-flight", "1", "--warmup", "0.1", "--seconds", "0.1"]
        let (framed, overGRPC) = (try laboratory.startMarvelServer(), try laboratory.startMarvelServer(overGRPC: true))
        // The memory of the first calls, such as pages of the program itself, does not count for the connections.
        for server in [framed, overGRPC] { _ = try laboratory.load(server, .page, working) }
        func kilobytes(_ bytes: Int) -> Double { Double(bytes) / 1024 / Double(connections) }

        let usage = try ProcessUsage(pid: framed.pid)
        let before = try usage.residentBytes()
        let idle = try IdleConnections(count: connections, port: framed.port)
        afterHello = try withExtendedLifetime(idle) { kilobytes(try usage.residentBytes() - before) }
        let report = try laboratory.load(overGRPC, .page, working + ["--idle", "\(connections)"])
        overGRPCAfterPage = kilobytes(report.residentBytesWithIdle - report.residentBytesAtStart)
    }

    var bars: [Bar] {
        [
            Bar("memory: resident, for each idle connection", afterHello, atMost: 11, "KiB"),
            Bar("memory: resident, for each idle connection of gRPC", overGRPCAfterPage, atMost: 14, "KiB"),
        ]
    }
}
