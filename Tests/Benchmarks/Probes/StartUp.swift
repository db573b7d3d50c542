/// The time from marvel-server's start, with the built-in catalog and a store that is not there yet, to its first
/// answer.
struct StartUp: Encodable {
    /// Milliseconds, each of a new process.
    let times: [Double]
    let median: Double

    init(times count: Int, in laboratory: Laboratory) throws {
        Progress.show("start-up")
        times = try (0..<count).map { _ in
            let start = LoadLoop.now()
            let server = try laboratory.startMarvelServer(catalog: "builtin", core: nil)
            try FrameClient(port: server.port).call(.page)
            return Double(LoadLoop.now() - start) / 1e6
        }
        median = times.median
    }

    var bar: Bar { Bar("start-up: built-in catalog, to the first answer", median, atMost: 100, "ms") }
}
