import Foundation
import Glibc

/// A restore over a store is killed at its k-th system call of a kind: another one in each cycle, from 1 on. One store is
/// whole then: the old one or the restored one.
///
/// The server is killed too, so that the old store has a log. The restore is over a copy of its files, because the clients
/// of this run expect their lists.
struct KilledRestore: Fault {
    let stage: ServerStage
    private static let calls = ["rename", "fsync", "unlink", "pwrite64", "fdatasync", "ftruncate", "openat"]

    private var cycle = 0
    private var killedCount = 0
    private var oldCount = 0

    init(stage: ServerStage) { self.stage = stage }

    var summary: String? { "\(killedCount) restores killed by strace; \(oldCount) left the old store" }

    /// Makes the copy, which lacks what clients change in this cycle.
    func prepare() async throws {
        _ = try await stage.run(["backup", "--overwrite", stage.store, stage.path("copy.sqlite")])
    }

    func strike(after delay: Duration, _ signs: Signs) async throws {
        try await Task.sleep(for: delay)
        try await stage.kill()
    }

    mutating func recover() async throws {
        let call = Self.calls[cycle % Self.calls.count]
        let number = 1 + cycle / Self.calls.count
        cycle += 1
        let old = stage.path("old.sqlite")
        try removeFiles(of: old)
        for suffix in ["", "-wal", ".witness"] {
            try FileManager.default.copyItem(atPath: stage.store + suffix, toPath: old + suffix)
        }
        let copy = stage.path("copy.sqlite")
        let lists = (old: try await lists(of: old), copy: try await lists(of: copy))
        let injection = "\(call):signal=KILL:when=\(number)"
        let tracer = Tracer.command(injection, trace: stage.path("strace-restore"))
        let restore = ["restore", "--overwrite", copy, old]
        if try await stage.run(restore, through: tracer, mayFail: true) == nil { killedCount += 1 }
        _ = try await stage.run(["check", old])
        let left = try await self.lists(of: old)
        guard left == lists.old || left == lists.copy else {
            throw RunError("a restore that was killed at \(call) \(number) left neither the old lists nor the copy's")
        }
        if left == lists.old { oldCount += 1 }
        try removeFiles(of: old)
        try await stage.start()
    }

    /// Returns the lists of a store without their revisions, which a restore renews.
    private func lists(of store: String) async throws -> [Substring]? {
        try await stage.run(["lists", store, "--export", "-"])?.split(separator: "\n").map { line in
            line.range(of: ",\"revision\":", options: .backwards).map { line[..<$0.lowerBound] } ?? line
        }
    }

    private func removeFiles(of store: String) throws {
        let folder = URL(fileURLWithPath: store).deletingLastPathComponent()
        let name = URL(fileURLWithPath: store).lastPathComponent
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix(name) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
        }
    }
}
