import Foundation
import Testing

/// A restore over a store is killed at its k-th system call of a kind.
@Suite(.timeLimit(.minutes(20)), .enabled(if: canTrace))
struct KilledRestoreTests {
    /// The old store is damaged, so its log cannot be copied into it: its files are renamed first.
    @Test(arguments: ["rename", "unlink", "fsync"])
    func aKilledRestoreOverADamagedStoreIsNamedByTheNextCommand(_ call: String) async throws {
        let folder = try TemporaryFolder()
        let (copy, store) = try await makeStores(folder)
        let restored = try await lists(of: copy)
        for suffix in ["", "-wal"] {
            try Data(repeating: 0xA5, count: 8_192).write(to: URL(filePath: store + suffix))
        }
        for number in 1...8 {
            let target = try laidOut(store, in: folder)
            let killed = try await restore(copy, over: target, "\(call):signal=KILL:when=\(number)")
            guard killed.status != 0 else { return }
            let check = try await marvelServer("check", target)
            if check.status == 0 {
                #expect(try await lists(of: target) == restored)
            } else {
                #expect(check.errors.contains(target), "\(call) \(number): \(check.errors)")
                let start = ["--framed", "127.0.0.1:0", "--store", target]
                #expect(try await RunningProgram.run("marvel-server", start).status == 1, "\(call) \(number)")
            }
            try await expectNextRestore(of: copy, to: target, restored, in: folder, "\(call) \(number)")
        }
    }

    @Test(arguments: ["rename", "fsync", "unlink", "pwrite64", "fdatasync", "ftruncate", "openat"])
    func aKilledRestoreLeavesTheOldStoreOrTheRestoredOne(_ call: String) async throws {
        let folder = try TemporaryFolder()
        let (copy, store) = try await makeStores(folder)
        let (old, restored) = (try await lists(of: laidOut(store, in: folder)), try await lists(of: copy))
        for number in 1...5 {
            let target = try laidOut(store, in: folder)
            let killed = try await restore(copy, over: target, "\(call):signal=KILL:when=\(number)")
            guard killed.status != 0 else { return }
            #expect(try await marvelServer("check", target).status == 0, "\(call) \(number)")
            #expect(try await [old, restored].contains(lists(of: target)), "\(call) \(number)")
            try await expectNextRestore(of: copy, to: target, restored, in: folder, "\(call) \(number)")
        }
    }

    /// The next restore succeeds, and leaves nothing of the one before.
    private func expectNextRestore(
        of copy: String,
        to target: String,
        _ restored: [String],
        in folder: TemporaryFolder,
        _ place: Comment
    ) async throws {
        let again = try await marvelServer("restore", "--overwrite", copy, target)
        #expect(again.status == 0, place)
        #expect(try await lists(of: target) == restored, place)
        #expect(try leftovers(folder) == [], place)
    }

    /// Makes a store of a server that was killed, with changes in its log, and an older copy of it.
    private func makeStores(_ folder: TemporaryFolder) async throws -> (copy: String, store: String) {
        let (copy, store) = (folder.path("copy.sqlite"), folder.path("favorites.sqlite"))
        try await Stand.run(folder: folder) { stand throws in
            #expect(try await stand.marvel("toggle", "1009610", "--save").status == 0)
            #expect(try await marvelServer("backup", store, copy).status == 0)
            #expect(try await stand.marvel("toggle", "1009144", "--save").status == 0)
            stand.server.send(SIGKILL)
        }
        return (copy, store)
    }

    /// Copies a store with the files beside it, and returns the path of the copy.
    private func laidOut(_ store: String, in folder: TemporaryFolder) throws -> String {
        let target = folder.path("target.sqlite")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        for name in files where name.hasPrefix("target") {
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        for suffix in ["", "-wal", ".witness"] {
            try FileManager.default.copyItem(atPath: store + suffix, toPath: target + suffix)
        }
        return target
    }

    private func restore(
        _ copy: String,
        over target: String,
        _ injection: String
    ) async throws -> Ended {
        let call = injection.prefix { $0 != ":" }
        let options = ["--output=/dev/null", "--trace=\(call)", "--inject=\(injection)"]
        let server = RunningProgram.path("marvel-server")
        return try await RunningProgram.run(
            "/usr/bin/strace",
            // With --seccomp-bpf strace sends no signal.
            ["--follow-forks"] + options + [server, "restore", "--overwrite", copy, target]
        )
    }

    /// Returns the lists of a store without their revisions, which a restore renews.
    private func lists(of store: String) async throws -> [String] {
        let export = try await succeeded(marvelServer("lists", store, "--export", "-"))
        return export.output.split(separator: "\n").map { line in
            String(line.range(of: ",\"revision\":", options: .backwards).map { line[..<$0.lowerBound] } ?? line)
        }
    }

    /// Returns the files beside the target that are not those of a store.
    private func leftovers(_ folder: TemporaryFolder) throws -> [String] {
        let known = ["", "-wal", "-shm", ".lock", ".witness"].map { "target.sqlite\($0)" }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter {
            $0.hasPrefix("target") && !known.contains($0)
        }
    }
}
