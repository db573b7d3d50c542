internal import Catalog
internal import MarvelDomain
internal import MarvelService
internal import RPCCore

/// A server of a simulation: the service of this project over a store of its own, and the connections of its clients.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedServer: @unchecked Sendable {
    /// The characters of all servers. Each start makes a catalog of its own of them, as a process does: a catalog keeps
    /// answers.
    private static let catalog = SyntheticCharacters(count: 6)
    static let characters = catalog.map(\.id)

    private enum Phase {
        case down
        /// It reads its lists, and takes no calls yet.
        case starting
        case serving
        /// Its clients go elsewhere.
        case draining
        /// It does not start again.
        case closed
    }

    private let number: Int
    private let scheduler: SeededScheduler
    private let database: SimulatedDatabase
    private let fault: PlantedFault?
    private let progressInterval: Duration
    private var phase = Phase.down
    private var store: ReplicaStore?
    private var methods: [MethodPath: RPCMethod] = [:]
    private var connections: [SimulatedConnection] = []

    init(
        _ number: Int,
        _ database: SimulatedDatabase,
        on scheduler: SeededScheduler,
        progressInterval: Duration,
        fault: PlantedFault?
    ) {
        self.number = number
        self.progressInterval = progressInterval
        self.database = database
        self.scheduler = scheduler
        self.fault = fault
    }

    /// Whether it takes connections.
    var isServing: Bool {
        if case .serving = phase { return true }
        return false
    }

    /// Whether no call is open.
    var isIdle: Bool { connections.allSatisfy(\.isIdle) }

    func method(_ path: MethodPath) -> RPCMethod? { methods[path] }

    // MARK: Life

    func start() {
        guard case .down = phase else { return }
        phase = .starting
        scheduler.tell("server \(number) starts")
        let store = ReplicaStore(number, database, on: scheduler, fault: fault)
        self.store = store
        let service = CharacterService(
            catalog: SimulatedServer.catalog.catalog(),
            store: store,
            progressInterval: progressInterval,
            runtime: scheduler.runtime
        )
        methods = [:]
        for service in service.services {
            for method in service.methods {
                methods[MethodPath(service: service.name, method: method.name)] = method
            }
        }
        scheduler.start { [self] in
            while self.store === store {
                do throws(StoreError) {
                    try await service.load()
                    if self.store === store, case .starting = phase {
                        phase = .serving
                        scheduler.tell("server \(number) serves")
                    }
                    return
                } catch {
                    await scheduler.sleep(.milliseconds(50))
                }
            }
        }
    }

    /// Ends at once, and starts again after a time.
    func crash(restartingAfter delay: Duration) {
        scheduler.tell("server \(number) crashes")
        stop()
        scheduler.after(delay) { [self] in start() }
    }

    private func stop() {
        guard phase != .down else { return }
        phase = .down
        for connection in connections { connection.crash() }
        connections = []
        store?.crash()
        store = nil
        methods = [:]
    }

    /// Lets its clients finish, ends, and starts again after a time.
    func drain(restartingAfter delay: Duration) {
        guard case .serving = phase else { return }
        phase = .draining
        scheduler.tell("server \(number) drains")
        for connection in connections { connection.loop.perform { connection.drain() } }
        let store = store
        scheduler.after(.seconds(5)) { [self] in
            guard phase == .draining, self.store === store else { return }
            for connection in connections { connection.loop.perform { connection.endDrain() } }
            scheduler.after(.milliseconds(100)) { [self] in
                guard phase == .draining, self.store === store else { return }
                stop()
                scheduler.after(delay) { [self] in start() }
            }
        }
    }

    /// Ends for good.
    func close() {
        stop()
        phase = .closed
    }

    func loseFeed() {
        scheduler.tell("server \(number) loses its feed")
        store?.loseFeed()
    }

    // MARK: Connections

    /// Takes a connection of a client; nil if it is not serving.
    func connect(_ client: SimulatedChannel) -> SimulatedLink? {
        guard isServing else { return nil }
        let connection = SimulatedConnection(to: self, on: scheduler, fault: fault)
        let link = SimulatedLink(on: scheduler, connection, client)
        connection.connect(link)
        connections.append(connection)
        return link
    }
}
