import CrashTestChecks
import LongRuns
import MarvelClient
import SoakChecks

/// One server under load, and all that is known of it.
final class Target {
    let name: String
    let server: Server
    let activities: [Activity]
    private let history: ToggleHistory
    private let probes: [Probe]
    /// Files that must not grow, by name.
    private let files: [(name: String, path: String)]
    private let usage: Usage
    private let clients: [MarvelClient]
    /// Its watches go on by themselves.
    private let watching: MarvelClient
    private var followers: [ListFollower] = []

    /// - Parameters:
    ///   - name: What it is called in the report.
    ///   - server: The running server.
    ///   - files: Its files, by name.
    ///   - hasGateway: Whether its characters come from a gateway, which misbehaves; else they can be edited.
    ///   - characters: What both know.
    ///   - seed: Decides what is toggled.
    /// - Throws: If the server has ended.
    init(
        _ name: String,
        _ server: Server,
        files: [(name: String, path: String)],
        hasGateway: Bool,
        characters: [MarvelCharacter],
        seed: UInt64
    ) throws {
        self.name = name
        self.server = server
        self.files = files
        usage = try Usage(server)
        clients = (0..<2).map { _ in MarvelClient(servers: [server.address], retries: false) }
        watching = MarvelClient(servers: [server.address])
        history = ToggleHistory(
            lists: (1...8).compactMap { ListName("soak-\($0)") },
            characterIDs: characters.prefix(12).map(\.id),
            seed: seed
        )
        let activities = Activities(
            server: server,
            clients: clients,
            history: history,
            characters: characters,
            hasGateway: hasGateway
        )
        self.activities = activities.all.map { $0.named("\(name) \($0.name)") }
        probes = Probe.all(of: characters, at: server.address, hasGateway: hasGateway)
    }

    var toggleCount: Int { history.count }

    /// Makes its lists, and has watchers follow them until the group is cancelled.
    func follow(in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        followers = try await history.makeLists(over: clients[0])
        for follower in followers {
            group.addTask { [watching] in
                do {
                    try await follower.run(watching)
                } catch let error as RPCError where error.code == .cancelled || error.reason == "CLIENT_SHUT_DOWN" {}
            }
        }
    }

    func violations() async throws -> [String] {
        try await history.violations(over: clients[0], followers).map { "\(name): \($0)" }
    }

    func shutdown() async {
        for client in clients + [watching] { await client.shutdown() }
    }

    // MARK: Measuring, while nothing else is done

    /// Counts and sizes, once what the mix began has ended.
    func sample(_ figures: inout Figures, in tenth: Int?, _ limits: Limits) async throws {
        let counters = try await settledCounters()
        func add(_ value: Int, _ what: String, _ unit: String, _ summary: Metric.Summary, _ bar: Metric.Bar?) {
            figures.add(Double(value), to: Metric("\(name) \(what)", unit: unit, summary, bar: bar), in: tenth)
        }
        add(try usage.residentBytes(), "memory", "B", .median, limits.size)
        add(try usage.descriptorCount(), "descriptors", "", .median, limits.count)
        add(try usage.threadCount(), "threads", "", .median, limits.count)
        for (key, what) in Target.counted {
            if let value = counters[key] { add(value, what, "", .median, limits.count) }
        }
        for file in files { add(fileSize(file.path), file.name, "B", .median, limits.size) }
        add(Int(try usage.logSize()), "log", "B", .maximum, nil)
    }

    /// Of what a server counts: what has to be flat.
    private static let counted = [
        ("openConnections", "connections"), ("runningTasks", "tasks"), ("runningTimers", "timers"),
        ("unsentBytes", "unsent bytes"),
    ]

    /// Connections that were dropped are noticed in a moment.
    private func settledCounters() async throws -> [String: Int] {
        var last = try await usage.counters()
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(100))
            let next = try await usage.counters()
            if Target.counted.allSatisfy({ last[$0.0] == next[$0.0] }) { return next }
            last = next
        }
        return last
    }

    /// The cost of each kind of call.
    ///
    /// - Parameters:
    ///   - figures: Get the results.
    ///   - tenth: Where the run is.
    ///   - limits: Which bars to set.
    ///   - sync: The median of a sync on the disk of the store, in microseconds.
    ///   - tally: Gets the errors.
    /// - Throws: If the server is gone.
    func measure(
        _ figures: inout Figures,
        in tenth: Int?,
        _ limits: Limits,
        sync: Double,
        _ tally: RunTally
    ) async throws {
        var reference = 0.0
        for probe in probes {
            let share = limits.cost == nil ? 0.1 : 1
            let result: ProbeResult
            do {
                guard let measured = try await probe.measure(over: clients[0], usage, share: share) else { continue }
                result = measured
            } catch let error as RPCError {
                tally.failed("\(name) probe: \(probe.name)", error, .reliable)
                continue
            }
            if probe.name == Probe.reference { reference = result.latency }
            let cost = Metric("\(name) \(probe.name) cpu", unit: "us", .minimum, bar: limits.cost)
            figures.add(result.processorTime, to: cost, in: tenth)
            let latency = Metric("\(name) \(probe.name) latency", unit: "us", .median)
            figures.add(result.latency, to: latency, in: tenth)
            guard probe.name != Probe.reference, reference > 0 else { continue }
            let ratio = Metric("\(name) \(probe.name) / reference", unit: "", .median, bar: limits.cost)
            figures.add(result.latency / (reference + (probe.syncs ? sync : 0)), to: ratio, in: tenth)
        }
    }
}

extension Activity {
    func named(_ name: String) -> Activity {
        Activity(name, rate: rate, maximumUnderWay: maximumUnderWay, tolerance, run)
    }
}
