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
    private let client: MarvelClient
    private let usage: Usage
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
    /// - Throws: If the server has ended.
    init(
        _ name: String,
        _ server: ServerProcess,
        files: [WatchedFile],
        hasGateway: Bool,
        characters: [MarvelCharacter],
        seed: UInt64
    ) throws {
        self.name = name
        self.server = server
        self.files = files
        client = MarvelClient(servers: [ServerEndpoint(server.address)], retries: false)
        usage = try Usage(server)
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
            client: client,
            history: history,
            characters: characters,
            hasGateway: hasGateway
        )
        self.activities = activities.all.map { $0.named("\(name) \($0.name)") }
    }

    var toggleCount: Int { history.counts.toggles }

    /// Makes its lists, and has watchers follow them until the group is cancelled.
    func follow(in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        try await judge.begin(over: client, watching: [server.address], in: &group)
    }

    func violations() async throws -> [String] {
        try await judge.judge(over: [client]).violations.map { "\(name): \($0)" }
    }

    func shutdown() async {
        await judge.shutdown()
        await client.shutdown()
    }

    // MARK: Measuring, while nothing else is done

    /// Counts and sizes, once what the mix began has ended.
    func sample(_ figures: inout Figures, in tenth: Int?, _ limits: Limits) async throws {
        let counters = try await settledCounters()
        func add(_ value: Int, _ what: String, bar: Metric.Bar?) {
            figures.add(Double(value), to: Metric("\(name) \(what)", unit: "", bar: bar), in: tenth)
        }
        func add(bytes: Int, _ what: String, bar: Metric.Bar?) {
            let metric = Metric("\(name) \(what)", unit: "MB", bar: bar)
            figures.add(Double(bytes) / 1_000_000, to: metric, in: tenth)
        }
        add(bytes: try usage.residentBytes(), "memory", bar: limits.size)
        add(try usage.descriptorCount(), "descriptors", bar: limits.count)
        // Those that wait for a disk come and go with the disk.
        add(try usage.threadCount(), "threads", bar: nil)
        for (key, what) in Target.counted {
            if let value = counters[key] { add(value, what, bar: limits.count) }
        }
        for file in files { add(bytes: fileSize(file.path), file.name, bar: file.isLog ? limits.log : limits.size) }
        add(bytes: Int(try usage.logSize()), "log", bar: nil)
    }

    /// The counters of a server that have to be flat.
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
}

extension Activity {
    func named(_ name: String) -> Activity {
        Activity(name, rate: rate, maximumUnderWay: maximumUnderWay, tolerance, run)
    }
}
