import ChildProcesses
import Glibc

/// The time from marvel-server's start, with the built-in catalog and a store that is not there yet, to its first
/// answer.
struct StartUp: Encodable {
    /// Seconds after the first answer, in which a server that does nothing settles.
    private static let idleSeconds = 1.0

    /// Milliseconds, each of a new process.
    let times: [Double]
    let median: Double
    let p99: Double
    /// Milliseconds of CPU until then; the middle of all.
    let cpu: Double
    /// Resident megabytes of a server that has answered once and then does nothing.
    let idleResident: Double

    private struct Start {
        let time: Double
        let cpu: Double
        let server: RunningServer
    }

    init(times count: Int, in laboratory: Laboratory) throws {
        Progress.show("start-up")
        let starts = try (0..<count).map { _ in
            // Each server ends before the next one starts.
            let start = try StartUp.start(in: laboratory)
            return (time: start.time, cpu: start.cpu)
        }
        times = starts.map(\.time)
        median = times.median
        p99 = times.percentile(99)
        cpu = starts.map(\.cpu).median
        let idle = try StartUp.start(in: laboratory)
        usleep(UInt32(StartUp.idleSeconds * 1e6))
        idleResident = Double(try ProcessUsage(pid: idle.server.pid).residentBytes()) / 1e6
    }

    private static func start(in laboratory: Laboratory) throws -> Start {
        let start = monotonicTime()
        let server = try laboratory.startMarvelServer(catalog: "builtin", core: nil)
        try FrameClient(port: server.port).call(Workload.pageCall)
        let time = Double(monotonicTime() - start) / 1e6
        return Start(time: time, cpu: try ProcessUsage(pid: server.pid).cpu() / 1e6, server: server)
    }

    var bars: [Bar] {
        [
            Bar("start-up: built-in catalog, to the first answer", median, atMost: 50, "ms"),
            Bar("memory: resident, built-in catalog, idle", idleResident, atMost: 25, "MB"),
        ]
    }
}
