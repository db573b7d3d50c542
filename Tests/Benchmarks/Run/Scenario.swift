/// One way to use the servers.
struct Scenario {
    var workload: Workload
    var connections: Int
    var inFlight: Int
    /// Connections beside these that say nothing.
    var idle = 0
    /// Load and server share a core: nothing is gained by waiting in parallel, and nothing hides it.
    var isOnOneCore = false
    /// The durability of a new server with a new store for each measurement; nil: the servers that always run.
    var durability: String?
    var servers: [ServerKind] = [.marvel, .bare, .encoding, .marvelOverGRPC, .grpc]

    var name: String {
        let shape = "\(workload.rawValue) \(connections)x\(inFlight)"
        let place = (idle > 0 ? ", \(idle) idle" : "") + (isOnOneCore ? ", one core" : "")
        return shape + place + (durability.map { ", \($0)" } ?? "")
    }

    var loadOptions: [String] {
        [
            "--workload", workload.rawValue, "--connections", "\(connections)", "--in-flight", "\(inFlight)",
            "--idle", "\(idle)", "--idle-call",
        ]
    }

    /// The options for one measurement at a pace.
    func loadOptions(_ pace: Pace) -> [String] {
        guard durability != nil else { return loadOptions + pace.loadOptions }
        return loadOptions + ["--calls", "\(connections * inFlight == 1 ? pace.singleToggles : pace.groupedToggles)"]
    }
}

extension Scenario {
    static let page = Scenario(
        workload: .page,
        connections: 16,
        inFlight: 16,
        servers: [.marvel, .bare, .decoding, .encoding, .marvelOverGRPC, .grpc]
    )
    static let pageOnOneCore = Scenario(workload: .page, connections: 1, inFlight: 1, isOnOneCore: true)
    static let stream = Scenario(workload: .stream, connections: 16, inFlight: 16)
    static let tiny = Scenario(workload: .tiny, connections: 16, inFlight: 16, servers: plain)
    static let list = Scenario(workload: .list, connections: 16, inFlight: 16, servers: keeping)
    static let toggle = Scenario(
        workload: .toggle,
        connections: 1,
        inFlight: 1,
        durability: "full",
        servers: keeping
    )
    static let manyToggles = Scenario(
        workload: .toggle,
        connections: 16,
        inFlight: 64,
        durability: "full",
        servers: keeping
    )
    static let manyTogglesInProcess = Scenario(
        workload: .toggle,
        connections: 16,
        inFlight: 64,
        durability: "process",
        servers: keeping
    )

    /// All that are measured. Nobody encodes a tiny answer, and gRPC keeps no favorites.
    static let all = [
        page,
        Scenario(workload: .pages, connections: 16, inFlight: 16, servers: [.marvel]),
        Scenario(workload: .page, connections: 1, inFlight: 64),
        pageOnOneCore,
        Scenario(workload: .page, connections: 1, inFlight: 64, idle: 1000),
        stream,
        Scenario(workload: .stream, connections: 1, inFlight: 1),
        tiny,
        Scenario(workload: .tiny, connections: 1, inFlight: 1, isOnOneCore: true, servers: plain),
        list,
        Scenario(workload: .character, connections: 16, inFlight: 16, servers: [.marvel]),
        Scenario(workload: .suggest, connections: 16, inFlight: 16, servers: [.marvel]),
        Scenario(workload: .thumbnail, connections: 16, inFlight: 16, servers: [.marvel]),
        toggle,
        manyToggles,
        manyTogglesInProcess,
    ]

    private static let plain: [ServerKind] = [.marvel, .bare, .marvelOverGRPC, .grpc]
    private static let keeping: [ServerKind] = [.marvel, .favorites]
}
