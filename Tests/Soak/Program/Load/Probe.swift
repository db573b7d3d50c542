import MarvelClient
import SoakChecks

/// A kind of call whose cost is measured while nothing else is done.
struct Probe: Sendable {
    let name: String
    /// Calls in one measurement.
    let count: Int
    /// How often its answer waits for a sync of the disk.
    let syncs: Double
    /// Whether a source that misbehaves may be asked.
    var asksSource = false
    let call: @Sendable (MarvelClient, Int) async throws -> Void

    init(
        _ name: String,
        count: Int = 60,
        syncs: Double = 0,
        call: @escaping @Sendable (MarvelClient, Int) async throws -> Void
    ) {
        self.name = name
        self.count = count
        self.syncs = syncs
        self.call = call
    }

    static let health = Probe("health") { client, _ in _ = try await client.health() }

    static func all(of characters: [MarvelCharacter], at address: ServerAddress, hasGateway: Bool) -> [Probe] {
        let list = ListName("probes") ?? .default
        let ids = characters.prefix(12).map(\.id)
        let reads = [
            health,
            Probe("page") { client, _ in try await read(client.searchCharacters("sp", maxPages: 1)) },
            Probe("stream of 10", count: 20) { client, _ in
                try await read(client.searchCharacters("ma", pageSize: 5, maxPages: 10))
            },
            Probe("suggestions") { client, _ in _ = try await client.suggestNames("spi") },
            Probe("character") { client, _ in _ = try await client.character(id: ids[0]) },
            Probe("thumbnail", count: 20) { client, _ in
                _ = try await client.thumbnail(of: ids[0], variant: .standardLarge)
            },
            Probe("list") { client, _ in _ = try await client.favorites(list: list) },
            Probe("watch", count: 30) { client, _ in
                for try await _ in client.watchFavorites(list: list, timeout: .seconds(10)) { break }
            },
            Probe("connection", count: 20) { _, _ in
                let client = MarvelClient(servers: [address], retries: false)
                _ = try await client.health()
                await client.shutdown()
            },
        ]
        let toggle = Probe("toggle", count: 40, syncs: 1) { client, number in
            // Always a save that evicts.
            _ = try await client.toggleFavorite(ids[number % ids.count], desired: .saved, list: list)
        }
        let edit = Probe("edit", count: 10, syncs: 6) { client, number in
            let changes = CharacterChanges(description: "Probe \(number).")
            _ = try await client.updateCharacter(characters[120].id, changes)
        }
        let fuzzy = Probe("fuzzy search") { client, _ in
            try await read(client.searchCharacters("spidr mn", match: .fuzzy, maxPages: 1))
        }
        return (reads + [toggle] + (hasGateway ? [] : [fuzzy, edit])).map { probe in
            var probe = probe
            probe.asksSource = hasGateway || probe.name == "thumbnail"
            return probe
        }
    }

    private static func read(_ pages: SearchPages) async throws { for try await _ in pages {} }
}

/// The cost of one kind of call, and that of the control's health check meanwhile.
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
    /// Makes the calls, each after one of the control: so whatever else the machine does counts for both.
    ///
    /// - Parameters:
    ///   - client: Makes the calls.
    ///   - usage: The server's.
    ///   - control: The server that nobody else calls.
    ///   - share: The share of the calls that is made.
    /// - Returns: The cost; nil if a source that misbehaves kept too many calls from succeeding.
    /// - Throws: The error of a call that is not the source's.
    func measure(
        over client: MarvelClient,
        _ usage: Usage,
        beside control: Control,
        share: Double
    ) async throws -> ProbeResult? {
        let count = max(3, Int(Double(count) * share))
        // The first may have to fetch or to load what the others find.
        for _ in 0..<10 {
            if try await succeeds(client, 0) { break }
            try await Task.sleep(for: .milliseconds(200))
        }
        var latencies: [Double] = []
        var controlLatencies: [Double] = []
        let (before, controlBefore) = (try usage.processorTime(), try control.usage.processorTime())
        for number in 1...count {
            let begin = ContinuousClock.now
            try await control.call()
            let middle = ContinuousClock.now
            controlLatencies.append((middle - begin) / .microseconds(1))
            if try await succeeds(client, number) {
                latencies.append((ContinuousClock.now - middle) / .microseconds(1))
            }
        }
        let (after, controlAfter) = (try usage.processorTime(), try control.usage.processorTime())
        guard latencies.count > count / 2, let latency = medianOf(latencies),
            let controlLatency = medianOf(controlLatencies)
        else { return nil }
        return ProbeResult(
            cost: .init(processorTime: (after - before) / Double(count), latency: latency),
            control: .init(
                processorTime: (controlAfter - controlBefore) / Double(count),
                latency: controlLatency + (try control.sync(times: syncs))
            )
        )
    }

    private func succeeds(_ client: MarvelClient, _ number: Int) async throws -> Bool {
        do {
            try await call(client, number)
            return true
        } catch let error as RPCError where asksSource && CallTally.isTolerated(error, .upstream) {
            return false
        }
    }
}
