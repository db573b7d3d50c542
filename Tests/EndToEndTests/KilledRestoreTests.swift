import ChildProcesses
import Foundation
import Testing

/// A restore is killed at its k-th system call of a kind.
@Suite(.timeLimit(.minutes(20)), .enabled(if: canTrace))
struct KilledRestoreTests {
    @Test(arguments: ["rename", "fsync", "unlink", "pwrite64", "fdatasync", "openat"])
    func aKilledRestoreLeavesNoStoreOrTheRestoredOne(_ calls: String) async throws {
        let folder = try TemporaryFolder()
        let (copy, target) = (folder.path("copy.sqlite"), folder.path("target.sqlite"))
        try await Stand.run(folder: folder) { stand throws in
            #expect(try await stand.marvel("toggle", "1009610", "--save").status == 0)
            #expect(try await marvelServer("backup", stand.store, copy).status == 0)
        }
        let restored = try await lists(of: copy)
        for number in 1...5 {
            for name in try files(folder) { try FileManager.default.removeItem(atPath: folder.path(name)) }
            let killed = try await restore(copy, to: target, killedAt: calls, number)
            guard killed.status != 0 else { return }
            if !FileManager.default.fileExists(atPath: target) {
                try await succeeded(marvelServer("restore", copy, target))
                let known = ["", "-wal", "-shm", ".lock", ".witness"].map { "target.sqlite\($0)" }
                #expect(try files(folder).filter { !known.contains($0) } == [], "\(calls) \(number)")
            }
            #expect(try await marvelServer("check", target).status == 0, "\(calls) \(number)")
            #expect(try await lists(of: target) == restored, "\(calls) \(number)")
        }
    }

    private func restore(_ copy: String, to target: String, killedAt calls: String, _ number: Int) async throws -> Ended
    {
        // With --seccomp-bpf strace sends no signal.
        let options = ["--output=/dev/null", "--trace=\(calls)", "--inject=\(calls):signal=KILL:when=\(number)"]
        let server = RunningProgram.path("marvel-server")
        return try await RunningProgram.run(
            "/usr/bin/strace",
            ["--follow-forks"] + options + [server, "restore", copy, target]
        )
    }

    /// Returns the lists of a store without their revisions, which a restore renews.
    private func lists(of store: String) async throws -> [String] {
        let export = try await succeeded(marvelServer("lists", store, "--export", "-"))
        return export.output.split(separator: "\n").map { line in
            String(line.range(of: ",\"revision\":", options: .backwards).map { line[..<$0.lowerBound] } ?? line)
        }
    }

    private func files(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter { $0.hasPrefix("target") }
    }
}
