import ChildProcesses
import Foundation
import TestDatabases
import Testing
import WireClients

/// Clients of two servers on one database, one of which is killed.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct MovingTests {
    private static let ids: [Int64] = [1_009_610, 1_009_351, 1_009_368]

    /// Whichever of the two servers a client uses, it has to move at least once.
    private func endEachServerOnce(
        _ pair: DatabaseStand,
        by signal: Int32,
        _ check: (Int64) async throws -> Void
    ) async throws {
        try await toggle(Self.ids[0], on: pair, through: 0)
        try await check(1)
        for number in 0...1 {
            try await pair.without(number, endedBy: signal) {
                try await toggle(Self.ids[number + 1], on: pair, through: 1 - number)
                try await check(Int64(number) + 2)
            }
        }
    }

    private func toggle(_ id: Int64, on pair: DatabaseStand, through number: Int) async throws {
        try await succeeded(pair.marvel("toggle", "\(id)", to: number))
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func aWatchContinuesAtTheOtherServerAndItsReaderLearnsNothing(endedBy signal: Int32) async throws {
        try await DatabaseStand.run { pair in
            let watch = try RunningProgram(
                "marvel",
                ["--server", pair.addresses, "watch", "--json", "--changes", "3"]
            )
            try await wait(for: "a snapshot") { watch.outputText.contains("snapshot") }
            try await endEachServerOnce(pair, by: signal) { revision in
                try await wait(for: "the next line") { changes(in: watch.outputText).last == revision }
            }
            let status = await watch.waitForEnd()
            #expect(status == 0)
            #expect(watch.errorText.isEmpty, "\(watch.errorText)")
            #expect(changes(in: watch.outputText) == [1, 2, 3])
        }
    }

    /// The revisions of the changes that `marvel watch --json` has printed.
    private func changes(in output: String) -> [Int64] {
        output.split(separator: "\n").compactMap { line in
            let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let revision = (event?["changed"] as? [String: Any])?["revision"]
            return (revision as? NSNumber)?.int64Value ?? (revision as? String).flatMap { Int64($0) }
        }
    }

    /// The watch of a client over gRPC that is not of this project resumes after its last place.
    @Test(arguments: [SIGKILL, SIGTERM])
    func aWatchOverGRPCResumesAtTheOtherServer(endedBy signal: Int32) async throws {
        try await DatabaseStand.run { pair in
            try await Peers.generatePython(["marvel/v1/marvel"], in: pair.folder)
            let watch = try RunningProgram(
                "/usr/bin/python3",
                [Peers.file("moving_client.py"), pair.folder.url.path, "3", pair.http(0), pair.http(1)]
            )
            try await wait(for: "the next line") { watch.outputText == "snapshot 0\n" }
            try await endEachServerOnce(pair, by: signal) { revision in
                try await wait(for: "the next line") { watch.outputText.hasSuffix("changed \(revision)\n") }
            }
            #expect(await watch.waitForEnd() == 0, "\(watch.errorText)")
            #expect(watch.outputText == "snapshot 0\nchanged 1\nchanged 2\nchanged 3\n")
        }
    }
}
