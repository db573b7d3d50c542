import Foundation

/// Every scenario measured on every server, round after round: a machine that is slow for a while is slow for all.
struct Rounds {
    struct Key: Hashable {
        var scenario: String
        var server: ServerKind
    }

    /// The figures of one server in one scenario.
    struct Row: Encodable {
        let scenario: String
        let server: ServerKind
        let median: Figures
        /// The CPU time as a multiple of that of ready bytes; nil where they were not measured.
        let toFloor: Double?
    }

    private let scenarios: [Scenario]
    private var figures: [Key: [Figures]] = [:]

    /// - Parameters:
    ///   - scenarios: What to measure.
    ///   - pace: How long and how often.
    ///   - laboratory: Where.
    /// - Throws: If a server does not start, or a call fails.
    init(_ scenarios: [Scenario], pace: Pace, in laboratory: Laboratory) throws {
        self.scenarios = scenarios
        let servers = try Servers(for: scenarios, in: laboratory)
        for round in 1...pace.rounds {
            for scenario in scenarios {
                Progress.show("round \(round) of \(pace.rounds): \(scenario.name)")
                for kind in scenario.servers {
                    let server = try scenario.durability.map { try laboratory.startStore(kind, durability: $0) }
                    let report = try laboratory.load(
                        server ?? servers.server(kind),
                        scenario.workload,
                        scenario.loadOptions(pace),
                        onServersCore: scenario.isOnOneCore
                    )
                    figures[Key(scenario: scenario.name, server: kind), default: []].append(Figures(report))
                }
            }
        }
    }

    var rows: [Row] {
        scenarios.flatMap { scenario in
            scenario.servers.map { server in
                let floor = server == .floor ? nil : scenario.floor
                let toFloor = floor.map { ratio(\.cpu, scenario, of: server, to: .floor, in: $0) } ?? .nan
                return Row(
                    scenario: scenario.name,
                    server: server,
                    median: median(scenario, server),
                    toFloor: toFloor.isNaN ? nil : toFloor
                )
            }
        }
    }

    func median(_ scenario: Scenario, _ server: ServerKind) -> Figures {
        Figures(medianOf: figures[Key(scenario: scenario.name, server: server)] ?? [])
    }

    /// The middle of what each round says of the ratio, for the servers of one round ran at nearly the same time.
    ///
    /// - Parameters:
    ///   - figure: What is compared.
    ///   - scenario: Where.
    ///   - server: Who is compared.
    ///   - other: With whom.
    ///   - otherScenario: Where the other one is measured; nil: in the same scenario.
    /// - Returns: The ratio; below 1, the first has less.
    func ratio(
        _ figure: KeyPath<Figures, Double>,
        _ scenario: Scenario,
        of server: ServerKind = .marvel,
        to other: ServerKind,
        in otherScenario: Scenario? = nil
    ) -> Double {
        let own = figures[Key(scenario: scenario.name, server: server)] ?? []
        let others = figures[Key(scenario: (otherScenario ?? scenario).name, server: other)] ?? []
        return zip(own, others).map { $0[keyPath: figure] / $1[keyPath: figure] }.median
    }
}

/// All servers that keep nothing between the rounds, started once and left running: those that are not measured wait,
/// which costs nothing.
private struct Servers {
    private let marvel: RunningServer
    private let references: [ServerKind: RunningServer]

    /// Starts the references that the scenarios need.
    init(for scenarios: [Scenario], in laboratory: Laboratory) throws {
        marvel = try laboratory.startMarvelServer()
        try laboratory.fill(marvel)
        let needed = Set(scenarios.filter { $0.durability == nil }.flatMap(\.servers)).subtracting([.marvel])
        references = try needed.reduce(into: [:]) { servers, kind in
            servers[kind] =
                switch kind {
                case .favorites: try laboratory.startStore(kind, durability: "process")
                case .marvelOverGRPC: try laboratory.startMarvelServer(overGRPC: true)
                default: try laboratory.startReference(kind)
                }
            if let server = servers[kind], kind == .favorites || kind == .marvelOverGRPC {
                try laboratory.fill(server)
            }
        }
        for workload in [Workload.page, .stream] where scenarios.contains(where: { $0.workload == workload }) {
            Progress.show("the answers of all servers to \(workload)")
            let paging = references.values.filter { ![.favorites, .floor].contains($0.kind) }
            try laboratory.compare([marvel] + paging, workload)
        }
    }

    func server(_ kind: ServerKind) -> RunningServer { references[kind] ?? marvel }
}
