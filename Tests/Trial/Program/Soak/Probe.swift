import MarvelClient
import TrialChecks

/// A kind of call whose cost is measured while nothing else is done.
struct Probe: Sendable {
    let name: String
    /// Calls in one measurement.
    let count: Int
    /// Whether a source that misbehaves may be asked.
    var asksSource = false
    let call: @Sendable (ProbedServer, Int) async throws -> Void

    init(_ name: String, count: Int = 60, call: @escaping @Sendable (ProbedServer, Int) async throws -> Void) {
        self.name = name
        self.count = count
        self.call = call
    }

    static let health = Probe("health") { server, _ in _ = try await server.client.health() }

    static func all(of characters: [MarvelCharacter], hasGateway: Bool) -> [Probe] {
        let list = ListName("probes") ?? .default
        let ids = characters.prefix(12).map(\.id)
        let reads = [
            health,
            Probe("page") { server, _ in try await read(server.client.searchCharacters("sp", maxPages: 1)) },
            Probe("stream of 10", count: 20) { server, _ in
                try await read(server.client.searchCharacters("ma", pageSize: 5, maxPages: 10))
            },
            Probe("page over HTTP", count: 20) { server, _ in
                try await RawConnection.readPage(httpPort: server.httpPort, query: "sp")
            },
            Probe("suggestions") { server, _ in _ = try await server.client.suggestNames("spi") },
            Probe("character") { server, _ in _ = try await server.client.character(id: ids[0]) },
            Probe("thumbnail", count: 20) { server, _ in
                _ = try await server.client.thumbnail(of: ids[0], variant: .standardLarge)
            },
            Probe("list") { server, _ in _ = try await server.client.favorites(list: list) },
            Probe("watch", count: 30) { server, _ in
                for try await _ in server.client.watchFavorites(list: list, timeout: .seconds(10)) { break }
            },
            Probe("connection", count: 20) { server, _ in
                let client = MarvelClient(servers: [server.address], retries: false)
                _ = try await client.health()
                await client.shutdown()
            },
        ]
        let toggle = Probe("toggle", count: 40) { server, number in
            // Always a save that evicts.
            _ = try await server.client.toggleFavorite(ids[number % ids.count], desired: .saved, list: list)
        }
        let edit = Probe("edit", count: 10) { server, number in
            let changes = CharacterChanges(description: "Probe \(number).")
            _ = try await server.client.updateCharacter(characters[120].id, changes)
        }
        let fuzzy = Probe("fuzzy search") { server, _ in
            try await read(server.client.searchCharacters("spidr mn", match: .fuzzy, maxPages: 1))
        }
        return (reads + [toggle] + (hasGateway ? [] : [fuzzy, edit])).map { probe in
            var probe = probe
            probe.asksSource = hasGateway || probe.name == "thumbnail"
            return probe
        }
    }

    private static func read(_ pages: SearchPages) async throws { for try await _ in pages {} }
}

/// The cost of one kind of call on a server that has run for long, and on a new one meanwhile.
struct ProbeResult {
    /// Microseconds of a server's processor a call, and the median latency in microseconds.
    struct Cost {
        let processorTime: Double
        let latency: Double
    }

    let cost: Cost
    let control: Cost
}

extension Probe {
    /// Makes the calls of both servers, one of each in turn.
    ///
    /// - Parameters:
    ///   - server: The server whose calls cost what is wanted.
    ///   - control: The new server.
    ///   - share: The share of the calls that is made.
    /// - Returns: The costs; nil if a source that misbehaves kept too many calls from succeeding.
    /// - Throws: The error of a call that is not the source's.
    func measure(_ server: ProbedServer, beside control: ProbedServer, share: Double) async throws -> ProbeResult? {
        let count = max(3, Int(Double(count) * share))
        for server in [server, control] { try await prepare(server) }
        var measurements = [try CostMeasurement(server), try CostMeasurement(control)]
        for number in 1...count {
            for index in measurements.indices {
                let begin = ContinuousClock.now
                if try await succeeds(measurements[index].server, number) {
                    measurements[index].latencies.append((ContinuousClock.now - begin) / .microseconds(1))
                }
            }
        }
        let costs = try measurements.compactMap { try $0.cost(of: count) }
        return costs.count == 2 ? ProbeResult(cost: costs[0], control: costs[1]) : nil
    }

    /// The first call may have to fetch or to load what the others find.
    private func prepare(_ server: ProbedServer) async throws {
        for _ in 0..<10 {
            if try await succeeds(server, 0) { return }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private func succeeds(_ server: ProbedServer, _ number: Int) async throws -> Bool {
        do {
            try await call(server, number)
            return true
        } catch let error as RPCError where asksSource && CallTally.isTolerated(error, .upstream) {
            return false
        }
    }
}

/// A measurement that has begun.
private struct CostMeasurement {
    let server: ProbedServer
    let processorTime: Double
    /// Microseconds, of the calls that succeeded.
    var latencies: [Double] = []

    init(_ server: ProbedServer) throws {
        self.server = server
        processorTime = try server.usage.processorTime()
    }

    /// - Returns: Nil if less than half of the calls succeeded.
    func cost(of count: Int) throws -> ProbeResult.Cost? {
        guard latencies.count > count / 2, let latency = medianOf(latencies) else { return nil }
        let spent = try server.usage.processorTime() - processorTime
        return ProbeResult.Cost(processorTime: spent / Double(count), latency: latency)
    }
}

/// A server that probes call.
struct ProbedServer: Sendable {
    let address: ServerAddress
    let httpPort: Int
    let client: MarvelClient
    let usage: Usage

    /// - Throws: If the server has ended.
    init(_ server: ServerProcess) throws {
        address = server.address
        httpPort = server.httpPort ?? 0
        client = MarvelClient(servers: [server.address], retries: false)
        usage = try Usage(server)
    }
}

/// A server with the settings of a target, started anew in every tenth and called only to measure. A call costs it what the
/// same call would cost the target if the target had not run for hours: other work on the machine counts for both.
final class Control {
    private let start: (_ number: Int) async throws -> ServerProcess
    private var number = 0
    private var tenth: Int?
    private var server: ServerProcess
    private(set) var probed: ProbedServer

    /// - Parameter start: Starts a server with a store of its own; the number differs from call to call.
    /// - Throws: If it does not start.
    init(start: @escaping (_ number: Int) async throws -> ServerProcess) async throws {
        self.start = start
        server = try await start(0)
        probed = try ProbedServer(server)
    }

    /// Replaces the server of another tenth by a new one.
    ///
    /// - Parameter tenth: Nil in the warm-up.
    /// - Throws: If the old one does not stop with status 0, or the new one does not start.
    func renew(for tenth: Int?) async throws {
        guard tenth != self.tenth else { return }
        self.tenth = tenth
        try await stop()
        number += 1
        server = try await start(number)
        probed = try ProbedServer(server)
    }

    func stop() async throws {
        await probed.client.shutdown()
        try await server.stop()
    }
}
