import Glibc
import LongRuns
import MarvelClient

/// A way to break the server. Its steps are taken once in each cycle.
protocol Fault {
    /// Prepares the fault before clients toggle. The server runs then, and when this returns.
    mutating func prepare(_ stage: Stage) async throws

    /// Strikes after a delay, while clients toggle, and waits for the effect.
    mutating func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws

    /// Repairs the server after they have stopped, so that each toggle is answered if it is sent again.
    mutating func recover(_ stage: Stage) async throws

    /// Checks, after everything was compared, that the fault had its effect. `changes` are those of each list.
    mutating func confirm(_ changes: [[FavoritesChange]]) throws

    /// The text about it for the end of the run; nil if there is none.
    var summary: String? { get }
}

extension Fault {
    mutating func prepare(_ stage: Stage) async throws {}
    mutating func recover(_ stage: Stage) async throws {}
    mutating func confirm(_ changes: [[FavoritesChange]]) throws {}
    var summary: String? { nil }
}

/// The process ends between two instructions, whichever.
struct Kill: Fault {
    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        try await stage.server().kill()
    }

    func recover(_ stage: Stage) async throws { try await stage.start() }
}

/// The server is halted for a while, as a machine is that swaps or moves, and then goes on as if nothing had been.
struct Stopped: Fault {
    let pause: Duration

    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        let server = try stage.server()
        server.send(SIGSTOP)
        try await Task.sleep(for: pause)
        server.send(SIGCONT)
        try await Task.sleep(for: delay)
    }
}

/// The file system turns read-only under the server, as Linux makes it when a disk fails, and is mended later.
///
/// The kernel itself refuses to remount what a program has open for writing: strace gives its answers.
struct ReadOnly: Fault {
    private var tracer: Tracer?

    mutating func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        tracer = try await Tracer(stage, "pwrite64,ftruncate,fallocate:error=EROFS")
        try await wait(for: "every client to be told that the store is read-only") { signs.endedCount == signs.size }
        try await stage.checkReads(of: signs.lists)
    }

    mutating func recover(_ stage: Stage) async throws {
        try await tracer?.detach()
        tracer = nil
    }
}
