import Glibc
import MarvelClient
import MarvelDomain

/// A way to break a stage. Its steps are taken once in each of its cycles.
protocol Fault {
    /// The timeout of a toggle.
    var timeout: Duration { get }

    /// Prepares the fault before clients toggle. The servers run then, and when this returns.
    mutating func prepare() async throws

    /// Strikes after a delay, while clients toggle, and waits for the effect.
    mutating func strike(after delay: Duration, _ signs: Signs) async throws

    /// Repairs the stage after clients have stopped, so that each toggle is answered if it is sent again.
    mutating func recover() async throws

    /// Checks, after everything was judged, that the fault had its effect. `changes` are those of each list.
    mutating func confirm(_ changes: [[FavoritesChange]]) throws

    /// The text about it for the report; nil if there is none.
    var summary: String? { get }
}

extension Fault {
    var timeout: Duration { .seconds(10) }
    mutating func prepare() async throws {}
    mutating func recover() async throws {}
    mutating func confirm(_ changes: [[FavoritesChange]]) throws {}
    var summary: String? { nil }
}

/// The errors of toggles that a fault explains. The disk's faults are told as such, and only they.
enum Excuse: Sendable {
    /// The server is gone or halted.
    case lostServer
    /// The store cannot be written.
    case store
    /// The store cannot be written, or the server is gone.
    case storeOrLostServer
    /// A replica or the database is gone, halted or slow.
    case cluster

    func explains(_ error: RPCError) -> Bool {
        let isOfStore = error.reason?.rawValue.hasPrefix("STORE_") == true
        let blamesStore =
            error.code == .unavailable && [.storeReadOnly, .storeOutcomeUnknown].contains(error.reason)
        return switch self {
        case .lostServer: [.unavailable, .deadlineExceeded].contains(error.code) && !isOfStore
        case .store: blamesStore
        case .storeOrLostServer: blamesStore || (error.code == .unavailable && !isOfStore)
        case .cluster:
            [.unavailable, .deadlineExceeded, .aborted].contains(error.code) || error.reason == .storeOverloaded
        }
    }
}

/// A fault by its name, before it is made for a stage.
struct FaultKind<S: Stage> {
    let name: String
    let excuse: Excuse
    /// Whether only root can make it: it mounts a disk.
    let needsRoot: Bool
    /// Makes it, before the stage starts.
    let make: (S, TrialSettings) throws -> any Fault

    init(
        _ name: String,
        _ excuse: Excuse,
        needsRoot: Bool = false,
        make: @escaping (S, TrialSettings) throws -> any Fault
    ) {
        self.name = name
        self.excuse = excuse
        self.needsRoot = needsRoot
        self.make = make
    }
}

extension FaultKind where S == ServerStage {
    static var all: [FaultKind] {
        [
            FaultKind("kill", .lostServer) { stage, _ in Kill(stage: stage) },
            FaultKind("broken-disk", .storeOrLostServer) { try BrokenDisk($0, $1) },
            FaultKind("stopped", .lostServer) { Stopped(stage: $0, pause: $1.pause) },
            FaultKind("clock", .lostServer) { try ClockJump($0, $1) },
            FaultKind("full-disk", .store, needsRoot: true) { stage, _ in try FullDisk(stage) },
        ]
    }
}

/// The process ends between two instructions, whichever.
private struct Kill: Fault {
    let stage: ServerStage

    func strike(after delay: Duration, _ signs: Signs) async throws {
        try await Task.sleep(for: delay)
        try await stage.kill()
    }

    func recover() async throws { try await stage.start() }
}

/// The server is halted for a while, as a machine is that swaps or moves, and then continues as if nothing had been.
private struct Stopped: Fault {
    let stage: ServerStage
    let pause: Duration

    /// Short, so that toggles time out.
    var timeout: Duration { pause / 4 }

    func strike(after delay: Duration, _ signs: Signs) async throws {
        try await Task.sleep(for: delay)
        let server = try stage.server()
        server.send(SIGSTOP)
        try await Task.sleep(for: pause)
        server.send(SIGCONT)
        try await Task.sleep(for: delay)
    }
}

/// The wall clock goes back an hour, again in each cycle; later the server is killed.
private struct ClockJump: Fault {
    private static let jump: Int64 = -3600

    private let stage: ServerStage
    private let clock: ShiftedClock
    private var offset: Int64 = 0
    /// Favorites that were saved after another one, and earlier by the clock.
    private var earlierCount = 0
    /// Whether clients toggled after the last jump: they may have had enough by then.
    private var isJumpVisible = false

    var summary: String? { "\(earlierCount) times a list's newest favorite was saved at an earlier hour" }

    init(_ stage: ServerStage, _ settings: TrialSettings) throws {
        self.stage = stage
        clock = try ShiftedClock(library: settings.libraries + "/clock-shift.so", file: stage.path("clock-shift"))
        stage.environment = clock.environment
    }

    mutating func strike(after delay: Duration, _ signs: Signs) async throws {
        try await Task.sleep(for: delay)
        offset += Self.jump
        try clock.shift(by: offset)
        let enough = signs.answerCount + 4 * signs.size
        try await wait(for: "clients to be answered after the jump") {
            signs.answerCount >= enough || signs.endedCount == signs.size
        }
        isJumpVisible = signs.answerCount >= enough
        try await stage.kill()
    }

    func recover() async throws { try await stage.start() }

    mutating func confirm(_ changes: [[FavoritesChange]]) throws {
        let count = changes.reduce(0) { count, changes in
            let times = changes.compactMap(\.saved?.savedAt.seconds)
            return count + zip(times, times.dropFirst()).count { $1 <= $0 + Self.jump / 2 }
        }
        guard count > 0 || !isJumpVisible else { throw RunError("the server's clock did not go back") }
        earlierCount += count
    }
}

/// The disk, a small one in memory, becomes full while the server runs, and has space again later.
private struct FullDisk: Fault {
    private let stage: ServerStage
    private let disk: SmallDisk

    init(_ stage: ServerStage) throws {
        self.stage = stage
        guard let disk = SmallDisk(at: stage.storeFolder, size: "128m", cleaner: stage.cleaner) else {
            throw RunError("only root can mount the small disk that this fault needs (errno \(errno))")
        }
        self.disk = disk
    }

    func strike(after delay: Duration, _ signs: Signs) async throws {
        try await Task.sleep(for: delay)
        try disk.fill()
        try await wait(for: "every client to get the error that the disk is full") { signs.endedCount == signs.size }
        try await stage.read(signs.lists)
    }

    /// Gives space, and nothing else.
    func recover() async throws { try disk.makeRoom() }
}
