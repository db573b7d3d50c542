import ChildProcesses
import Glibc

/// The time from marvel-server's start, with the built-in catalog and a store that is not there yet, to its first
/// answer.
struct StartUp: Encodable {
    /// Seconds after the first answer, in which a server that does nothing settles.
    private static let idleSeconds = 1.0

    /// Milliseconds; the middle of several new processes.
    let median: Double
    /// Resident megabytes of a server that has answered once and then does nothing.
    let idleResident: Double

    init(times count: Int, in laboratory: Laboratory) throws {
        Progress.show("start-up")
        // Each server ends before the next one starts.
        median = try (0..<count).map { _ in try StartUp.start(in: laboratory).time }.median
        let idle = try StartUp.start(in: laboratory)
        usleep(UInt32(StartUp.idleSeconds * 1e6))
        idleResident = Double(try ProcessUsage(pid: idle.server.pid).residentBytes()) / 1e6
    }

    private static func start(in laboratory: Laboratory) throws -> (time: Double, server: RunningServer) {
        let start = monotonicTime()
        let server = try laboratory.startMarvelServer(catalog: "builtin", core: nil)
        try FrameClient(port: server.port).call(Workload.pageCall)
        return (Double(monotonicTime() - start) / 1e6, server)
    }

    var bars: [Bar] {
        [
            Bar("start-up: built-in catalog, to the first answer", median, atMost: 50, "ms"),
            Bar("memory: resident, built-in catalog, idle", idleResident, atMost: 25, "MB"),
        ]
    }
}
