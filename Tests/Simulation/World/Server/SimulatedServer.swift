internal import Catalog
internal import Logging
internal import MarvelDomain
internal import MarvelService
internal import RPCCore
internal import RPCServer

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
    private var context: ServerContext?
    private var sockets: [SimulatedSocket] = []

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
    var isIdle: Bool { context?.runningTaskCount ?? 0 == 0 && sockets.allSatisfy(\.isIdle) }

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
        var configuration = ServerConfiguration()
        configuration.creditTimeout = .seconds(30)
        context = ServerContext(
            services: service.services,
            configuration: configuration,
            access: AccessControl(wallClock: { 0 }),
            caller: { _ in nil },
            group: SimulatedEventLoop(on: scheduler),
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
        )
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
        for socket in sockets { socket.lost() }
        sockets = []
        store?.crash()
        (store, context) = (nil, nil)
    }

    /// Lets its clients finish, ends, and starts again after a time.
    func drain(restartingAfter delay: Duration) {
        guard case .serving = phase else { return }
        phase = .draining
        scheduler.tell("server \(number) drains")
        for socket in sockets { socket.fire(ConnectionEvent.drainBegins) }
        let store = store
        scheduler.after(.seconds(5)) { [self] in
            guard phase == .draining, self.store === store else { return }
            for socket in sockets { socket.fire(ConnectionEvent.drainEnds) }
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
        guard isServing, let context else { return nil }
        let socket = SimulatedSocket(on: scheduler)
        let link = SimulatedLink(on: scheduler, socket, client)
        socket.open(link, to: context)
        sockets.append(socket)
        return link
    }
}
