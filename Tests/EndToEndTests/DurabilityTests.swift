import ChildProcesses
import Foundation
import Testing

/// The durability of acknowledged changes after any end of the process.
@Suite(.timeLimit(.minutes(10)))
struct DurabilityTests {
    /// With `synchronous=NORMAL` a commit in WAL mode syncs nothing; with FULL each one does.
    @Test func everyToggleIsSyncedBeforeItIsAcknowledged() async throws {
        let folder = try TemporaryFolder()
        let (trace, store) = (folder.path("trace"), folder.path("favorites.sqlite"))
        let options = ["--output=\(trace)", "--trace=fdatasync,fsync", "--seccomp-bpf"]
        let server = try RunningProgram.traced(options, store: store)
        let address = try await server.listeningAddress()
        let before = try syncs(trace)
        let toggles = 10
        for _ in 0..<toggles {
            try await succeeded(RunningProgram.run("marvel", ["toggle", "1009610", "--server", address]))
        }
        #expect(try syncs(trace) - before >= toggles)
        try await server.endTraced(store: store, by: SIGTERM)
    }

    private func syncs(_ trace: String) throws -> Int {
        try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").count { $0.contains("sync(") }
    }
}
