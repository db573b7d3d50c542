import Foundation
import Testing

/// Implementations that are not of this project, against the server as it is shipped.
@Suite(.timeLimit(.minutes(3)))
struct PeerTests {
    private static let peers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Peers")
    private static let repository = peers.appending(path: "../../..").standardizedFileURL

    /// containerd's own ttrpc package for Go, as Debian has it.
    @Test func theGoClientOfTTRPCReadsPagesAndStatuses() async throws {
        let folder = try TemporaryFolder()
        let build = try await RunningProgram.run(
            "/usr/bin/go",
            ["build", "-o", folder.path("goclient"), Self.peers.appending(path: "GoClient/main.go").path],
            environment: ["GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": folder.path("cache")]
        )
        try #require(build.status == 0, "\(build.errors)")
        try await Stand.run { stand in
            let client = try await RunningProgram.run(folder.path("goclient"), [stand.address])
            #expect(client.status == 0, "\(client.errors)")
            let lines = client.output.split(separator: "\n").map(String.init)
            try #require(lines.count == 10, "\(client.output)")
            #expect(lines[0] == "search OK")
            #expect(lines[1] == "characters 3 more true")
            #expect(lines[2...4].allSatisfy { $0.contains("Spider-Man") })
            #expect(
                lines[5...] == [
                    "list OK", "revision 0 capacity 5", "short query InvalidArgument", "unknown method Unimplemented",
                    "concurrent failures 0",
                ]
            )
        }
    }

    /// Makes the messages of the protos for Python.
    private func generatePython(in folder: TemporaryFolder) async throws {
        let protos = Self.repository.appending(path: "Protos").path
        let generate = try await RunningProgram.run(
            "/usr/bin/protoc",
            ["-I", protos, "--python_out=\(folder.url.path)"]
                + ["marvel/v1/marvel", "marvel/rpc/v1/ttrpc", "marvel/rpc/v1/status"]
                .map { "\(protos)/\($0).proto" }
        )
        try #require(generate.status == 0, "\(generate.errors)")
    }

    /// grpcio, as Debian has it, on the gRPC port.
    @Test func thePythonClientOfGRPCMakesCallsOfEachKind() async throws {
        let folder = try TemporaryFolder()
        try await generatePython(in: folder)
        let socket = "unix:\(folder.path("grpc.sock"))"
        try await Stand.run(serverArguments: ["--grpc-address", socket]) { stand in
            let client = try await RunningProgram.run(
                "/usr/bin/python3",
                [Self.peers.appending(path: "grpc_client.py").path, folder.url.path, socket]
            )
            #expect(client.status == 0, "\(client.errors)")
            #expect(
                client.output.split(separator: "\n") == [
                    "page 4 21", "page 4 21", "page 4 21", "watch snapshot", "toggle True", "watch changed",
                    "list ['Spider-Man']", "short query INVALID_ARGUMENT with details",
                    "deadline DEADLINE_EXCEEDED", "at once 1000", "long stream complete",
                ]
            )
        }
    }

    @Test func aPythonClientReadsAStream() async throws {
        let folder = try TemporaryFolder()
        try await generatePython(in: folder)
        try await Stand.run { stand in
            let address = stand.address.split(separator: ":").map(String.init)
            let client = try await RunningProgram.run(
                "/usr/bin/python3",
                [Self.peers.appending(path: "stream_client.py").path, folder.url.path] + address
            )
            #expect(client.status == 0, "\(client.errors)")
            let lines = client.output.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("page 4 ") } == 3, "\(client.output)")
            #expect(lines.last == "end")
            #expect(lines.count { $0.contains("Spider") } == 12)
        }
    }
}
