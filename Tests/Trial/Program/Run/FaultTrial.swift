import MarvelClient
import MarvelDomain
import Synchronization
import TrialChecks

/// The settings of a trial with faults.
struct TrialSettings {
    var clients: Int
    var lists: Int
    var seed: UInt64
    /// The time for which the fault `stopped` halts the server.
    var pause: Duration
    /// The folder of the libraries that are preloaded into a server.
    var libraries: String
}

/// The end of a trial with faults.
enum TrialLength: CustomStringConvertible {
    case cycles(Int)
    case time(Duration)

    var description: String {
        switch self {
        case .cycles(let count): "\(count) cycles"
        case .time(let duration): "\(duration)"
        }
    }
}

/// Cycles over one stage: clients toggle, a fault strikes and is repaired, toggles without an answer are sent again, and
/// every list is judged.
final class FaultTrial<S: Stage> {
    /// The connections that the clients share.
    private static var connectionCount: Int { 4 }
    /// Less than the changes of a list that a server keeps.
    private static var maximumPerList: Int { 900 }

    private let stage: S
    private let kinds: [FaultKind<S>]
    private let settings: TrialSettings
    private let history: ToggleHistory
    private let judge: Judge
    private var faults: [any Fault]
    private var random: SplitMix64
    private var connections: [MarvelClient] = []
    private var struck: [String: Int] = [:]
    private let begin = ContinuousClock.now
    private var cycles = 0
    /// The fault of the current cycle.
    private(set) var current = "start"

    init(_ stage: S, _ kinds: [FaultKind<S>], _ settings: TrialSettings) throws {
        self.stage = stage
        self.kinds = kinds
        self.settings = settings
        faults = try kinds.map { try $0.make(stage, settings) }
        history = ToggleHistory(lists: settings.lists, seed: settings.seed, maximumPerList: Self.maximumPerList)
        judge = Judge(history, hasReplicas: stage.hasReplicas)
        random = SplitMix64(seed: settings.seed)
    }

    func run(_ length: TrialLength) async throws {
        try await stage.start()
        let start = ContinuousClock.now
        try await connect()
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await judge.begin(over: connections[0], watching: stage.lastingAddresses, in: &group)
            while !isOver(length, since: start) {
                try await runCycle(Int.random(in: faults.indices, using: &random))
                cycles += 1
                if cycles.isMultiple(of: 10) { show(report) }
            }
            group.cancelAll()
        }
        await judge.shutdown()
    }

    private func isOver(_ length: TrialLength, since start: ContinuousClock.Instant) -> Bool {
        switch length {
        case .cycles(let count): cycles >= count
        case .time(let duration): ContinuousClock.now - start >= duration
        }
    }

    private func runCycle(_ index: Int) async throws {
        current = kinds[index].name
        try await faults[index].prepare()
        try await connect()
        try await toggleUntilStruck(index)
        try await faults[index].recover()
        try await connect()
        try await history.sendAgain(over: clients)
        let (changes, violations) = try await judge.judge(over: clients)
        guard violations.isEmpty else {
            let text = violations.prefix(20).map { "\n  \($0)" }.joined()
            throw RunError("\(violations.count) violations\(text)")
        }
        try faults[index].confirm(changes)
        struck[current, default: 0] += 1
    }

    /// Leaves the servers before, if any, and connects to those of now. A call that fails is not sent again behind the back
    /// of the one that counts.
    private func connect() async throws {
        for connection in connections { await connection.shutdown() }
        let addresses = try stage.addresses().map { ServerEndpoint($0) }
        connections = (0..<Self.connectionCount).map { _ in MarvelClient(servers: addresses, retries: false) }
    }

    /// The connection of each client.
    private var clients: [MarvelClient] { (0..<settings.clients).map { connections[$0 % connections.count] } }

    private func toggleUntilStruck(_ index: Int) async throws {
        let signs = Signs(size: settings.clients, lists: history.lists)
        let delay = Duration.milliseconds(Int.random(in: 20...400, using: &random))
        let (timeout, excuse) = (faults[index].timeout, kinds[index].excuse)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                group.addTask { [history] in
                    defer { signs.ended() }
                    do throws(RPCError) {
                        var isFirst = true
                        while !signs.isStopping, try await history.toggle(over: client, timeout: timeout) {
                            signs.answered(isFirst: isFirst)
                            isFirst = false
                        }
                    } catch {
                        guard excuse.explains(error) else { throw error }
                    }
                }
            }
            defer { signs.stop() }
            // One that fails before its first answer does not begin.
            try await wait(for: "all clients to toggle") { signs.begunCount + signs.endedCount >= signs.size }
            try await faults[index].strike(after: delay, signs)
            signs.stop()
            try await group.waitForAll()
        }
    }

    /// The counts so far.
    var report: String {
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let counts = history.counts
        let faults = struck.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let text = """
            \(cycles) cycles (\(faults)) in \(Int(seconds.rounded())) s: \(counts.toggles) toggles acknowledged \
            (\(Int(Double(counts.toggles) / max(seconds, 0.001))) a second), \(counts.resent) sent again unanswered, \
            \(counts.repeated) repeated, \(judge.changeCount) changes checked, \(judge.sightCount) events of watchers checked
            """
        return ([text] + self.faults.compactMap(\.summary) + [stage.summary].compactMap(\.self)).joined(separator: "\n")
    }
}

/// The signs between clients that toggle and the fault that strikes them.
final class Signs: Sendable {
    private struct State {
        var begunCount = 0
        var answerCount = 0
        var endedCount = 0
        var isStopping = false
    }

    /// The number of clients.
    let size: Int
    /// The lists that they change.
    let lists: [ListName]
    private let state = Mutex(State())

    init(size: Int, lists: [ListName]) {
        self.size = size
        self.lists = lists
    }

    /// The number of clients that have been answered once.
    var begunCount: Int { state.withLock(\.begunCount) }
    /// The number of toggles that were answered.
    var answerCount: Int { state.withLock(\.answerCount) }
    /// The number of clients that have stopped.
    var endedCount: Int { state.withLock(\.endedCount) }
    var isStopping: Bool { state.withLock(\.isStopping) }

    func answered(isFirst: Bool) {
        state.withLock { state in
            state.answerCount += 1
            if isFirst { state.begunCount += 1 }
        }
    }

    func ended() { state.withLock { $0.endedCount += 1 } }
    func stop() { state.withLock { $0.isStopping = true } }
}
