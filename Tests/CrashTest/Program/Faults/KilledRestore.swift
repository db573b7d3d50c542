import Foundation
import LongRuns

/// A restore over a store is killed at its k-th system call of a kind: another one in each cycle, from 1 on. One store is
/// whole then: the old one or the restored one.
///
/// The server is killed too, so that the old store has a log. The restore is over a copy of its files, because the clients
/// of this run expect their lists.
struct KilledRestore: Fault {
    private static let calls = ["rename", "fsync", "unlink", "pwrite64", "fdatasync", "ftruncate", "openat"]

    private var cycle = 0
    private var killedCount = 0
    private var oldCount = 0

    var summary: String? { "\(killedCount) restores killed by strace; \(oldCount) left the old store" }

    /// Makes the copy, which lacks what clients change in this cycle.
    func prepare(_ stage: Stage) async throws {
        _ = try await run(["backup", "--overwrite", store(stage), stage.path("copy.sqlite")], stage)
    }

    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        try await stage.server().kill()
    }

    mutating func recover(_ stage: Stage) async throws {
        let call = Self.calls[cycle % Self.calls.count]
        let number = 1 + cycle / Self.calls.count
        cycle += 1
        let old = stage.path("old.sqlite")
        try removeFiles(of: old)
        for suffix in ["", "-wal", ".witness"] {
            try FileManager.default.copyItem(atPath: store(stage) + suffix, toPath: old + suffix)
        }
        let copy = stage.path("copy.sqlite")
        let lists = (old: try await lists(of: old, stage), copy: try await lists(of: copy, stage))
        let injection = "\(call):signal=KILL:when=\(number)"
        let tracer = Tracer.command(injection, trace: stage.path("strace-restore"))
        let restore = ["restore", "--overwrite", copy, old]
        if try await run(restore, through: tracer, mayFail: true, stage) == nil { killedCount += 1 }
        _ = try await run(["check", old], stage)
        let left = try await self.lists(of: old, stage)
        guard left == lists.old || left == lists.copy else {
            throw RunError("a restore that was killed at \(call) \(number) left neither the old lists nor the copy's")
        }
        if left == lists.old { oldCount += 1 }
        try removeFiles(of: old)
        try await stage.start()
    }

    private func store(_ stage: Stage) -> String { stage.storeFolder + "/favorites.sqlite" }

    /// Returns the lists of a store without their revisions, which a restore renews.
    private func lists(of store: String, _ stage: Stage) async throws -> [Substring]? {
        try await run(["lists", store, "--export", "-"], stage)?.split(separator: "\n").map { line in
            line.range(of: ",\"revision\":", options: .backwards).map { line[..<$0.lowerBound] } ?? line
        }
    }

    /// Runs marvel-server to its end.
    ///
    /// - Returns: What it wrote; nil if it failed, which it may.
    private func run(
        _ arguments: [String],
        through runner: [String] = [],
        mayFail: Bool = false,
        _ stage: Stage
    ) async throws -> String? {
        let output = stage.path("command")
        let child = try SupervisedProcess(runner + [stage.program] + arguments, output: output, cleaner: stage.cleaner)
        try await child.waitForEnd()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        if child.status == 0 { return text }
        guard mayFail else { throw RunError("marvel-server \(arguments[0]) failed: \(text)") }
        return nil
    }

    private func removeFiles(of store: String) throws {
        let folder = URL(fileURLWithPath: store).deletingLastPathComponent()
        let name = URL(fileURLWithPath: store).lastPathComponent
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix(name) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
        }
    }
}
