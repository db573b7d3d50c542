import Foundation
import Glibc
import LongRuns
import MarvelClient

/// The wall clock goes back an hour, again in each cycle; later the server is killed.
struct ClockJump: Fault {
    private static let jump = -3600

    private let file: String
    private var offset = 0
    /// Favorites that were saved after another one, and earlier by the clock.
    private var earlierCount = 0
    /// Whether clients toggled after the last jump: they may have had enough by then.
    private var isJumpVisible = false

    var summary: String? { "\(earlierCount) times a list's newest favorite was saved at an earlier hour" }

    /// - Parameters:
    ///   - stage: Where the server is not running yet.
    ///   - library: Shifts the clock by the seconds in a file.
    /// - Throws: If that file cannot be written.
    init(_ stage: Stage, library: String) throws {
        file = stage.path("clock-shift")
        try shift()
        stage.environment["LD_PRELOAD"] = library
        stage.environment["MARVEL_CLOCK_SHIFT"] = file
    }

    mutating func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        offset += Self.jump
        try shift()
        let enough = signs.answerCount + 4 * signs.size
        try await wait(for: "clients to be answered after the jump") {
            signs.answerCount >= enough || signs.endedCount == signs.size
        }
        isJumpVisible = signs.answerCount >= enough
        try await stage.server().kill()
    }

    func recover(_ stage: Stage) async throws { try await stage.start() }

    mutating func confirm(_ changes: [[FavoritesChange]]) throws {
        let count = changes.reduce(0) { count, changes in
            let times = changes.compactMap(\.saved?.savedAt.seconds)
            return count + zip(times, times.dropFirst()).count { $1 <= $0 + Int64(Self.jump) / 2 }
        }
        guard count > 0 || !isJumpVisible else { throw RunError("the server's clock did not go back") }
        earlierCount += count
    }

    /// In place: the server has it mapped.
    private func shift() throws {
        let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
        var seconds = Int64(offset)
        guard descriptor >= 0 else { throw RunError("cannot make \(file)") }
        defer { close(descriptor) }
        guard pwrite(descriptor, &seconds, 8, 0) == 8 else { throw RunError("cannot write \(file)") }
    }
}
