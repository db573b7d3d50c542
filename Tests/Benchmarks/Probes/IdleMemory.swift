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
        func kilobytes(_ server: RunningServer, _ options: String...) throws -> Double {
            let working = ["--connections", "1", "--in-flight", "1", "--warmup", "0.1", "--seconds", "0.1"]
            // What the first calls alone cost, such as pages of the program itself, is no connection's.
            _ = try laboratory.load(server, working)
            let report = try laboratory.load(server, working + ["--idle", "\(connections)"] + options)
            return Double(report.residentBytesWithIdle - report.residentBytesAtStart) / 1024 / Double(connections)
        }
        afterHello = try kilobytes(laboratory.startMarvelServer())
        overGRPCAfterPage = try kilobytes(laboratory.startMarvelServer(overGRPC: true), "--idle-call")
    }

    var bars: [Bar] {
        [
            Bar("memory: resident, for each idle connection", afterHello, atMost: 12, "KiB"),
            Bar("memory: resident, for each idle connection of gRPC", overGRPCAfterPage, atMost: 24, "KiB"),
        ]
    }
}
