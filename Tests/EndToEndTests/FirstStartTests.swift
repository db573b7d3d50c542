import ChildProcesses
import Foundation
import Testing

/// A server is killed while it makes its store. The next start makes it, whatever was left.
///
/// A run tries the calls of the first moments; with `MARVEL_EVERY_FAULT` set, each up to 40.
@Suite(.timeLimit(.minutes(20)), .enabled(if: canTrace))
struct FirstStartTests {
    struct Kill: Sendable, CustomStringConvertible {
        let call: String
        let number: Int

        var description: String { "\(call) \(number)" }
    }

    private static let kills: [Kill] = [("openat", 6), ("pwrite64", 5), ("fdatasync", 4), ("unlink", 1)].flatMap {
        call,
        count in
        let isShort = ProcessInfo.processInfo.environment["MARVEL_EVERY_FAULT"] == nil
        return (1...(isShort ? count : 40)).map { Kill(call: call, number: $0) }
    }

    @Test(arguments: kills) func theNextStartCompletesAKilledFirstStart(_ kill: Kill) async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        let files = ["", "-journal", "-wal", "-shm", ".lock", ".witness"].map { "--trace-path=\(store)\($0)" }
        let options = ["--trace=\(kill.call)", "--inject=\(kill.call):signal=KILL:when=\(kill.number)"]
        let server = try RunningProgram.traced(options + files, store: store)
        // One that makes fewer of these calls is ready.
        if await server.hears("\"message\":\"listening\"") {
            try await server.endTraced(store: store, by: SIGKILL)
        } else {
            await server.waitForEnd()
        }
        try await Stand.run(folder: folder) { stand in
            let lines = try stand.server.logLines()
            #expect(lines.compactMap { $0.members["problem"] as? String } == [])
        }
    }
}
