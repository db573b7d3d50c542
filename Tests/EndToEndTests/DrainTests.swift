import ChildProcesses
import Foundation
import Testing

/// Servers that are replaced while gRPC clients make calls.
@Suite(.timeLimit(.minutes(10)))
struct DrainTests {
    private func serve(_ folder: TemporaryFolder) async throws -> RunningProgram {
        let server = try RunningProgram(
            "marvel-server",
            ["--http", "unix:\(folder.path("grpc.sock"))", "--store", folder.path("favorites.sqlite")]
        )
        _ = try await server.listeningAddress()
        return server
    }

    /// Every toggle of every client is acknowledged, and made once, though one server after the other is told to stop.
    @Test func noCallFailsOrRunsTwiceWhileServersAreReplaced() async throws {
        let folder = try TemporaryFolder()
        try await Peers.generatePython(["marvel/v1/marvel"], in: folder)
        var server = try await serve(folder)
        let clients = try RunningProgram(
            "/usr/bin/python3",
            [Peers.file("drain_client.py"), folder.url.path, "unix:\(folder.path("grpc.sock"))"]
        )
        try await clients.waitForError(containing: "begun")
        for _ in 0..<3 {
            // Long enough for all to be connected and busy again.
            try await Task.sleep(for: .milliseconds(500))
            #expect(await server.stop() == 0)
            server = try await serve(folder)
        }
        try await Task.sleep(for: .milliseconds(500))
        #expect(await clients.stop() == 0, "\(clients.errorText)")
        #expect(await server.stop() == 0)
        let lines = clients.outputText.split(separator: "\n")
        try #require(lines.count == 2, "\(clients.outputText)")
        #expect(lines[0].hasPrefix("acknowledged "))
        #expect(lines[0].count > "acknowledged 99".count, "\(lines[0])")
        #expect(lines[1] == "doubled or lost 0")
    }

    /// A load balancer that watches the health is told before its watch ends.
    @Test func aWatchOfTheHealthHearsThatTheServerStops() async throws {
        let folder = try TemporaryFolder()
        let server = try await serve(folder)
        let watch = try RunningProgram(
            Peers.python,
            [Peers.file("health_watch.py"), "unix:\(folder.path("grpc.sock"))"]
        )
        try await watch.waitForError(containing: "watching")
        #expect(await server.stop() == 0)
        #expect(await watch.waitForEnd() == 0, "\(watch.errorText)")
        #expect(watch.outputText.split(separator: "\n") == ["SERVING", "NOT_SERVING", "UNAVAILABLE"])
        #expect(!server.errorText.contains("protocolError"), "the client broke no rule")
    }
}
