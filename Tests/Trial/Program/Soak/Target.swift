import MarvelClient
import TrialChecks

/// A file of a server whose size is followed.
struct WatchedFile {
    let name: String
    let path: String
    /// Whether it is a log: it keeps the size that it had at most.
    var isLog = false
}

/// One server under load, and all that is known of it.
final class Target {
    /// Fewer than the server keeps changes of a list.
    private static let maximumPerList = 400

    let name: String
    let server: ServerProcess
    let activities: [Activity]
    private let history: ToggleHistory
    private let probes: [Probe]
    private let probed: ProbedServer
    private let control: Control
    /// Files that must not grow, by name.
    private let files: [WatchedFile]
    private let judge: Judge

    /// - Parameters:
    ///   - name: What it is called in the report.
    ///   - server: The running server.
    ///   - files: Its files, by name.
    ///   - hasGateway: Whether its characters come from a gateway, which misbehaves; else they can be edited.
    ///   - characters: What both know.
    ///   - seed: Decides what is toggled.
    ///   - control: New servers with its settings.
    /// - Throws: If the server has ended.
    init(
        _ name: String,
        _ server: ServerProcess,
        files: [WatchedFile],
        hasGateway: Bool,
        characters: [MarvelCharacter],
        seed: UInt64,
        control: Control
    ) throws {
        self.name = name
        self.server = server
        self.files = files
        probed = try ProbedServer(server)
        // Answers are kept for two minutes at least.
        history = ToggleHistory(
            lists: 8,
            seed: seed,
            maximumPerList: Target.maximumPerList,
            repeatLimit: .seconds(90)
        )
        judge = Judge(history, hasReplicas: false)
        let activities = Activities(
            server: server,
            client: probed.client,
            history: history,
            characters: characters,
            hasGateway: hasGateway
        )
        self.activities = activities.all.map { $0.named("\(name) \($0.name)") }
        probes = Probe.all(of: characters, hasGateway: hasGateway)
        self.control = control
    }

    var toggleCount: Int { history.counts.toggles }

    /// Makes its lists, and has watchers follow them until the group is cancelled.
    func follow(in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        try await judge.begin(over: probed.client, watching: [server.address], in: &group)
    }

    func violations() async throws -> [String] {
        try await judge.judge(over: [probed.client]).violations.map { "\(name): \($0)" }
    }

    func shutdown() async {
        await judge.shutdown()
        await probed.client.shutdown()
    }

    /// Stops its server and the control.
    ///
    /// - Throws: If one of them does not end with status 0.
    func stopServers() async throws {
        try await server.stop()
        try await control.stop()
    }

    // MARK: Measuring, while nothing else is done

    /// Counts and sizes, once what the mix began has ended.
    func sample(_ figures: inout Figures, in tenth: Int?, _ limits: Limits) async throws {
        let counters = try await settledCounters()
        func add(_ value: Int, _ what: String, bar: Metric.Bar?) {
            figures.add(Double(value), to: Metric("\(name) \(what)", unit: "", .median, bar: bar), in: tenth)
        }
        func add(bytes: Int, _ what: String, bar: Metric.Bar?) {
            let metric = Metric("\(name) \(what)", unit: "MB", .median, bar: bar)
            figures.add(Double(bytes) / 1_000_000, to: metric, in: tenth)
        }
        add(bytes: try probed.usage.residentBytes(), "memory", bar: limits.size)
        add(try probed.usage.descriptorCount(), "descriptors", bar: limits.count)
        // Those that wait for a disk come and go with the disk.
        add(try probed.usage.threadCount(), "threads", bar: nil)
        for (key, what) in Target.counted {
            if let value = counters[key] { add(value, what, bar: limits.count) }
        }
        for file in files { add(bytes: fileSize(file.path), file.name, bar: file.isLog ? limits.log : limits.size) }
        add(bytes: Int(try probed.usage.logSize()), "log", bar: nil)
    }

    /// The counters of a server that have to be flat.
    private static let counted = [
        ("openConnections", "connections"), ("runningTasks", "tasks"), ("runningTimers", "timers"),
        ("unsentBytes", "unsent bytes"),
    ]

    /// Connections that were dropped are noticed in a moment.
    private func settledCounters() async throws -> [String: Int] {
        var last = try await probed.usage.counters()
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(100))
            let next = try await probed.usage.counters()
            if Target.counted.allSatisfy({ last[$0.0] == next[$0.0] }) { return next }
            last = next
        }
        return last
    }

    /// The cost of each kind of call, beside that of the same call of a new server.
    ///
    /// - Parameters:
    ///   - figures: Get the results.
    ///   - tenth: Where the run is.
    ///   - limits: Which bars to set.
    ///   - tally: Gets the errors.
    /// - Throws: If a server is gone.
    func measure(_ figures: inout Figures, in tenth: Int?, _ limits: Limits, _ tally: RunTally) async throws {
        // Without bars for them, some figures will do.
        let share = limits.cost == nil ? 0.1 : 1
        try await control.renew(for: tenth)
        // The health check of this server, which is the first probe.
        var health: ProbeResult?
        for probe in probes {
            do {
                if let result = try await probe.measure(probed, beside: control.probed, share: share) {
                    add(result, of: probe, beside: health, &figures, in: tenth, limits)
                    if probe.name == Probe.health.name { health = result }
                }
            } catch let error as RPCError {
                tally.failed("\(name) probe: \(probe.name)", error, .reliable)
            }
        }
    }

    private func add(
        _ result: ProbeResult,
        of probe: Probe,
        beside health: ProbeResult?,
        _ figures: inout Figures,
        in tenth: Int?,
        _ limits: Limits
    ) {
        let kind = "\(name) \(probe.name)"
        func add(_ value: Double, _ what: String, _ unit: String, _ summary: Metric.Summary, _ bar: Metric.Bar?) {
            figures.add(value, to: Metric("\(kind) \(what)", unit: unit, summary, bar: bar), in: tenth)
        }
        func addLatency(_ value: Double, _ reference: String) {
            let name = "\(kind) latency / \(reference)"
            let metric = Metric(name, unit: "", .median, bar: limits.cost, group: "\(kind) latency")
            figures.add(value, to: metric, in: tenth)
        }
        let (cost, control) = (result.cost, result.control)
        add(cost.processorTime, "cpu", "us", .minimum, nil)
        add(cost.latency, "latency", "us", .lowerQuartile, nil)
        add(cost.processorTime / control.processorTime, "cpu / new server", "", .median, limits.cost)
        // Each reference has noise of its own: a call that became slower shows beside both.
        addLatency(cost.latency / control.latency, "new server")
        if let health { addLatency(cost.latency / health.cost.latency, "health") }
    }
}

extension Activity {
    func named(_ name: String) -> Activity {
        Activity(name, rate: rate, maximumUnderWay: maximumUnderWay, tolerance, run)
    }
}
