/// One way to use the servers.
struct Scenario {
    var workload: Workload
    var connections: Int
    var inFlight: Int
    /// Connections beside these that say nothing.
    var idle = 0
    /// Load and server share a core: nothing is gained by waiting in parallel, and nothing hides it.
    var isOnOneCore = false
    var servers = ServerKind.allCases

    var name: String {
        let shape = "\(workload.rawValue) \(connections)x\(inFlight)"
        return shape + (idle > 0 ? ", \(idle) idle" : "") + (isOnOneCore ? ", one core" : "")
    }

    var loadOptions: [String] {
        [
            "--workload", workload.rawValue, "--connections", "\(connections)", "--in-flight", "\(inFlight)",
            "--idle", "\(idle)", "--idle-call",
        ]
    }
}

extension Scenario {
    static let page = Scenario(workload: .page, connections: 16, inFlight: 16)
    static let pageOnOneCore = Scenario(workload: .page, connections: 1, inFlight: 1, isOnOneCore: true)
    static let stream = Scenario(workload: .stream, connections: 16, inFlight: 16)
    static let tiny = Scenario(workload: .tiny, connections: 16, inFlight: 16, servers: plain)

    /// All that are measured. Nobody encodes a tiny answer, and only marvel-server keeps favorites.
    static let all = [
        page,
        Scenario(workload: .page, connections: 1, inFlight: 64),
        pageOnOneCore,
        Scenario(workload: .page, connections: 1, inFlight: 64, idle: 1000),
        stream,
        Scenario(workload: .stream, connections: 1, inFlight: 1),
        tiny,
        Scenario(workload: .tiny, connections: 1, inFlight: 1, isOnOneCore: true, servers: plain),
        Scenario(workload: .toggle, connections: 1, inFlight: 1, servers: [.marvel]),
        Scenario(workload: .toggle, connections: 16, inFlight: 16, servers: [.marvel]),
    ]

    private static let plain: [ServerKind] = [.marvel, .bare, .grpc]
}
