import Foundation
import Glibc

/// A restore over a store is killed at its k-th system call of a kind: another one each time, from 1 on. One store is
/// whole then: the old one or the restored one.
///
/// The server is killed too, so that the old store has a log. The restore is over a copy of its files, because the clients
/// of this run expect their lists.
struct KilledRestore: Fault {
    let stage: ServerStage
    private static let calls = ["rename", "fsync", "unlink", "pwrite64", "fdatasync", "ftruncate", "openat"]

    private static let attemptsPerCycle = 2

    private var attempt = 0
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
        let (old, copy) = (stage.path("old.sqlite"), stage.path("copy.sqlite"))
        try layOut(old)
        let lists = (old: try await lists(of: old), copy: try await lists(of: copy))
        for _ in 0..<Self.attemptsPerCycle {
            let call = Self.calls[attempt % Self.calls.count]
            let number = 1 + attempt / Self.calls.count
            attempt += 1
            try layOut(old)
            let tracer = Tracer.command("\(call):signal=KILL:when=\(number)", trace: stage.path("strace-restore"))
            let restore = ["restore", "--overwrite", copy, old]
            if try await stage.run(restore, through: tracer, mayFail: true) == nil { killedCount += 1 }
            _ = try await stage.run(["check", old])
            let left = try await self.lists(of: old)
            guard left == lists.old || left == lists.copy else {
                throw RunError("a restore killed at \(call) \(number) left neither the old lists nor the copy's")
            }
            if left == lists.old { oldCount += 1 }
            // The next restore succeeds, and leaves nothing of the one before.
            _ = try await stage.run(restore)
            guard try await self.lists(of: old) == lists.copy, try files(of: old).allSatisfy(Self.isOfStore) else {
                throw RunError("after a restore killed at \(call) \(number), the next one left \(try files(of: old))")
            }
        }
        try await stage.start()
    }

    /// Copies the files of the killed server's store.
    private func layOut(_ target: String) throws {
        for name in try files(of: target) { try FileManager.default.removeItem(atPath: stage.path(name)) }
        for suffix in ["", "-wal", ".witness"] {
            try FileManager.default.copyItem(atPath: stage.store + suffix, toPath: target + suffix)
        }
    }

    /// Returns the lists of a store without their revisions, which a restore renews.
    private func lists(of store: String) async throws -> [Substring]? {
        try await stage.run(["lists", store, "--export", "-"])?.split(separator: "\n").map { line in
            line.range(of: ",\"revision\":", options: .backwards).map { line[..<$0.lowerBound] } ?? line
        }
    }

    /// Returns the names of the files of a store, and of those beside it.
    private func files(of store: String) throws -> [String] {
        let name = URL(fileURLWithPath: store).lastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: stage.path("")).filter { $0.hasPrefix(name) }
    }

    private static func isOfStore(_ name: String) -> Bool {
        ["sqlite", "-wal", "-shm", ".lock", ".witness"].contains { name.hasSuffix($0) }
    }
}
