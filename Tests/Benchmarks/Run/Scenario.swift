/// One way to use the servers.
struct Scenario {
    var workload: Workload
    var connections: Int
    var inFlight: Int
    /// Load and server share a core: nothing is gained by waiting in parallel, and nothing hides it.
    var isOnOneCore = false
    /// The durability of a new server with a new store for each measurement; nil: the servers that always run.
    var durability: String?
    var servers: [ServerKind]

    var name: String {
        let load = "\(workload.rawValue) \(connections)x\(inFlight)"
        let place = isOnOneCore ? ", one core" : ""
        return load + place + (durability.map { ", \($0)" } ?? "")
    }

    /// The scenario in which ready bytes of a page are sent in batches of this size; nil if the disk sets the limit.
    var floor: Scenario? {
        switch workload {
        case .page: self
        case .stream: .pagesInBatches[2]
        case .suggest, .picture, .favorites: .page
        case .toggle: nil
        }
    }

    var shape: [String] { ["--connections", "\(connections)", "--in-flight", "\(inFlight)"] }

    /// The options for one measurement at a pace.
    func loadOptions(_ pace: Pace) -> [String] {
        guard durability != nil else { return shape + pace.loadOptions }
        return shape + ["--calls", "\(connections * inFlight == 1 ? pace.singleToggles : pace.groupedToggles)"]
    }
}

extension Scenario {
    static let page = Scenario(workload: .page, connections: 16, inFlight: 16, servers: paging + [.floor])
    /// Pages in smaller and in larger batches.
    static let pagesInBatches = [1, 4, 64].map {
        Scenario(workload: .page, connections: 16, inFlight: $0, servers: [.marvel, .pages, .floor])
    }
    static let pageOnOneCore = Scenario(
        workload: .page,
        connections: 1,
        inFlight: 1,
        isOnOneCore: true,
        servers: paging + [.floor]
    )
    static let stream = Scenario(workload: .stream, connections: 16, inFlight: 16, servers: paging)
    static let suggest = Scenario(workload: .suggest, connections: 16, inFlight: 16, servers: marvels)
    static let picture = Scenario(workload: .picture, connections: 16, inFlight: 16, servers: marvels)
    static let list = Scenario(workload: .favorites, connections: 16, inFlight: 16, servers: keeping)
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

    /// All that are measured. gRPC C++ keeps no favorites.
    static let all =
        [page] + pagesInBatches
        + [pageOnOneCore, stream, suggest, picture, list, toggle, manyToggles, manyTogglesInProcess]

    private static let marvels: [ServerKind] = [.marvel, .marvelOverGRPC]
    private static let paging: [ServerKind] = [.marvel, .pages, .encoding, .marvelOverGRPC, .grpc]
    private static let keeping: [ServerKind] = [.marvel, .favorites]
}
