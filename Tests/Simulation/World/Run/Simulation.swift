internal import MarvelDomain
internal import RPCCore
internal import TrialChecks

/// A run of servers over one database, of clients, and of what goes wrong between them, on one thread and a clock of its
/// own. A seed gives the same run each time.
///
/// `@unchecked Sendable`: a simulation has one thread.
package final class Simulation: @unchecked Sendable {
    package struct Outcome: Sendable, Equatable {
        package let seed: UInt64
        /// The broken promises; empty if there are none.
        package let violations: [String]
        /// A hash of all that happened.
        package let trace: UInt64
        package let toggleCount: Int
        package let watchEventCount: Int
        package let stepCount: Int
    }

    static let capacity = 3

    let scheduler: SeededScheduler
    let database: SimulatedDatabase
    let servers: [SimulatedServer]
    let lists: [ListName]
    let seed: UInt64
    private let fault: PlantedFault?
    private(set) var togglers: [Toggler] = []
    private(set) var watchers: [Watcher] = []
    let reader: Reader
    let problems: Problems
    /// Whether the standby that takes over may lack commits.
    private let isLossy: Bool

    /// The problems that clients report.
    ///
    /// `@unchecked Sendable`: a simulation has one thread.
    final class Problems: @unchecked Sendable {
        var found: [String] = []
    }

    private init(seed: UInt64, fault: PlantedFault?, isNarrated: Bool) {
        self.seed = seed
        self.fault = fault
        let scheduler = SeededScheduler(seed: seed, isNarrated: isNarrated)
        let lists = [.default] + (ListName("other").map { [$0] } ?? [])
        let database = SimulatedDatabase(of: lists, on: scheduler, capacity: Simulation.capacity, fault: fault)
        // In most runs nothing but a wake-up tells a watcher of a change.
        let progressInterval = scheduler.happens(30) ? scheduler.time(50_000...5_000_000) : .seconds(100_000)
        let servers = (0..<(1 + scheduler.number(below: 3))).map {
            SimulatedServer($0, database, on: scheduler, progressInterval: progressInterval, fault: fault)
        }
        let problems = Problems()
        self.scheduler = scheduler
        self.database = database
        self.servers = servers
        self.problems = problems
        self.lists = lists
        isLossy = scheduler.happens(30)
        let mayHaveChanged: @Sendable () -> Bool = { database.eras.count > 1 }
        let report: @Sendable (String) -> Void = { problems.found.append($0) }
        func channel() -> SimulatedChannel {
            SimulatedChannel(
                to: servers,
                preferring: scheduler.number(below: servers.count),
                on: scheduler,
                fault: fault
            )
        }
        reader = Reader(over: channel(), on: scheduler, mayHaveChanged: mayHaveChanged, report: report)
        togglers = (0..<4).map { number in
            Toggler("c\(number)", of: lists[number % lists.count], over: channel(), on: scheduler, report: report)
        }
        watchers = lists.map {
            Watcher(of: $0, over: channel(), on: scheduler, mayHaveChanged: mayHaveChanged, report: report)
        }
    }

    // MARK: Running

    /// Runs a simulation from its first event to its verdict.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - eventCount: The number of events: what clients do, and what goes wrong.
    ///   - fault: A fault to have on purpose; nil for none.
    ///   - isNarrated: Whether what happens is printed.
    /// - Returns: What came of it.
    package static func run(
        seed: UInt64,
        eventCount: Int = 200,
        fault: PlantedFault? = nil,
        isNarrated: Bool = false
    ) -> Outcome {
        let simulation = Simulation(seed: seed, fault: fault, isNarrated: isNarrated)
        defer { simulation.close() }
        return simulation.run(eventCount)
    }

    private func run(_ eventCount: Int) -> Outcome {
        for server in servers { server.start() }
        var left = eventCount
        func next() {
            guard left > 0 else { return }
            left -= 1
            happen()
            scheduler.after(scheduler.happens(5) ? scheduler.time(0...2_000_000) : scheduler.time(0...10_000)) {
                next()
            }
        }
        scheduler.after(.zero) { next() }
        let wasCalm = scheduler.run(atMost: 1_000_000) { left == 0 } && calmDown()
        return verdict(wasCalm ? [] : ["calls or watches did not end"])
    }

    /// Ends everything that still waits, so that nothing of the run stays in memory.
    private func close() {
        for server in servers { server.close() }
        _ = scheduler.run(atMost: 10_000) { false }
        scheduler.clear()
    }

    /// Lets the faults end, and waits until every toggle is answered and every watcher has seen everything.
    private func calmDown() -> Bool {
        database.isReachable = true
        guard
            scheduler.run(
                atMost: 1_000_000,
                until: { [self] in
                    togglers.allSatisfy { !$0.isBusy } && reader.openCount == 0
                        && watchers.allSatisfy { $0.isStopped ? $0.hasEnded : true }
                }
            )
        else { return false }
        // A minute is far more than any change takes, and less than what a watcher waits for without news.
        var isOver = false
        scheduler.after(.seconds(60)) { isOver = true }
        return scheduler.run(atMost: 1_000_000) { isOver }
    }

    // MARK: Events

    private func happen() {
        switch scheduler.number(below: 100) {
        case 0..<60: toggle()
        case 60..<62: togglers[scheduler.number(below: togglers.count)].beginDeletion()
        case 62..<74: read()
        case 74..<78: watch()
        case 78..<80: watchers[scheduler.number(below: watchers.count)].stop()
        case 80..<87: anyChannel().loseConnection()
        case 87..<90: anyServer().crash(restartingAfter: scheduler.time(1_000...500_000))
        case 90..<92: anyServer().drain(restartingAfter: scheduler.time(1_000...500_000))
        case 92..<95: loseDatabase()
        case 95..<97: anyServer().loseFeed()
        case 97 where isLossy: database.failOver()
        default: anyChannel().stall(for: scheduler.time(1_000...400_000))
        }
    }

    private func toggle() {
        let toggler = togglers[scheduler.number(below: togglers.count)]
        let character = SimulatedServer.characters[scheduler.number(below: SimulatedServer.characters.count)]
        let wishes = DesiredFavorite.allCases
        toggler.begin(character, wishes[scheduler.number(below: wishes.count)])
    }

    private func read() {
        let toggler = togglers[scheduler.number(below: togglers.count)]
        reader.read(toggler.list, atLeast: scheduler.happens(70) ? toggler.place : nil)
    }

    private func watch() {
        guard watchers.count < 8 else { return }
        let (problems, database) = (problems, database)
        let channel = SimulatedChannel(
            to: servers,
            preferring: scheduler.number(below: servers.count),
            on: scheduler,
            fault: fault
        )
        let list = lists[scheduler.number(below: lists.count)]
        watchers.append(
            Watcher(of: list, over: channel, on: scheduler, mayHaveChanged: { database.eras.count > 1 }) {
                problems.found.append($0)
            }
        )
    }

    private func loseDatabase() {
        scheduler.tell("the database cannot be reached")
        database.isReachable = false
        scheduler.after(scheduler.time(1_000...300_000)) { [self] in
            scheduler.tell("the database can be reached again")
            database.isReachable = true
        }
    }

    private func anyServer() -> SimulatedServer { servers[scheduler.number(below: servers.count)] }

    private func anyChannel() -> SimulatedChannel {
        let channels = togglers.map(\.channel) + watchers.map(\.channel) + [reader.channel]
        return channels[scheduler.number(below: channels.count)]
    }
}
