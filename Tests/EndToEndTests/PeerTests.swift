import ChildProcesses
import Foundation
import RPCCore
import Testing
import WireMessages

/// Implementations that are not of this project, against the server as it is shipped.
@Suite(.timeLimit(.minutes(10)))
struct PeerTests {
    /// containerd's own ttrpc package for Go, as Debian has it.
    @Test func theGoClientOfTTRPCReadsPagesAndStatuses() async throws {
        let folder = try TemporaryFolder()
        let program = try await Peers.buildGo("GoClient", in: folder)
        try await Stand.run { stand in
            let client = try await succeeded(RunningProgram.run(program, [stand.address]))
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

    /// The extension of the framed protocol, below containerd's own client.
    @Test func theGoClientOfTheExtensionGetsCreditCancelPingAndGoAway() async throws {
        let folder = try TemporaryFolder()
        let program = try await Peers.buildGo("ExtensionGoClient", in: folder)
        try await Stand.run { stand in
            let client = try RunningProgram(program, [stand.address])
            try await client.waitForError(containing: "ready")
            stand.server.send(SIGTERM)
            #expect(await client.waitForEnd() == 0, "\(client.errorText)")
            let page = "page true"
            #expect(
                client.outputText.split(separator: "\n").map(String.init) == [
                    // A server of containerd's ttrpc answers the call, and no frame of the extension.
                    "plain server OK 0 0",
                    "hello 1 true", "ping true",
                    page, page, "waiting without credit 0", page, page, page, "waiting without credit 0", page,
                    "search EOF",
                    "toggle OK", "change OK for the cancelled watch 0",
                    "go away DRAINING true", "watch Unavailable", "later call fails true",
                ]
            )
        }
    }

    /// grpcio, as Debian has it, on the HTTP port.
    @Test func thePythonClientOfGRPCMakesCallsOfEachKind() async throws {
        let folder = try TemporaryFolder()
        let protos = ["marvel/v1/marvel", "grpc/health/v1/health", "grpc/reflection/v1/reflection"]
        try await Peers.generatePython(protos, in: folder)
        let socket = "unix:\(folder.path("grpc.sock"))"
        try await Stand.run(serverArguments: ["--http", socket, "--allow-edits"]) { stand in
            let client = try await succeeded(
                RunningProgram.run(
                    "/usr/bin/python3",
                    [Peers.file("grpc_client.py"), folder.url.path, socket]
                )
            )
            #expect(
                client.output.split(separator: "\n") == [
                    "page 4 21", "page 4 21", "page 4 21", "watch snapshot", "toggle True", "watch changed",
                    "list ['Spider-Man']", "suggested True", "picture True", "deleted True", "lists ['default']",
                    "edited Qwerty-Man Azerty-Man", "unknown NOT_FOUND",
                    "short query INVALID_ARGUMENT with details",
                    "deadline DEADLINE_EXCEEDED", "at once 1000", "long stream complete", "health 1", "services 5",
                    "reflection list_services_response", "reflection file_descriptor_response", "compressed 1",
                ]
            )
        }
    }

    /// gRPC's packages for health, reflection and statuses, and connectrpc, all from PyPI.
    @Test func pythonClientsWithoutMessagesAskTheServerForThem() async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0"]) { stand in
            let address = try await stand.server.listeningAddress("http")
            let client = try await succeeded(
                RunningProgram.run(Peers.python, [Peers.file("reflecting_client.py"), address])
            )
            // Connect in two encodings over two versions of HTTP, and gRPC.
            let read = "by GET ['Spider-Man'] NOT_FOUND ['google.rpc.ErrorInfo']"
            let calls = [
                "call True ['Spider-Man'] [21, 21, 21]", read, "unknown character NOT_FOUND ['google.rpc.ErrorInfo']",
                "short query INVALID_ARGUMENT ['google.rpc.ErrorInfo', 'google.rpc.BadRequest']",
                "deadline DEADLINE_EXCEEDED",
            ]
            let types = ["ErrorInfo", "BadRequest"].map { "'type.googleapis.com/google.rpc.\($0)'" }
            let readable = MarvelServiceMethods.all.filter(\.hasNoSideEffects).map(\.path.method)
            let first: [String] = [
                "reflected grpc.health.v1.Health grpc.reflection.v1.ServerReflection marvel.v1.MarvelService",
                "without side effects \(readable.joined(separator: " "))",
                "health 1", "services 5", "unknown service 3", "short query 3 [\(types.joined(separator: ", "))]",
            ]
            let byConnect: [String] = Array(repeating: calls, count: 4).flatMap { $0 }
            let expected: [String] = first + byConnect + calls.filter { $0 != read }
            #expect(client.output.split(separator: "\n").map(String.init) == expected)
        }
    }

    /// curl, as README has it, on both versions of HTTP.
    @Test(arguments: ["--http1.1", "--http2-prior-knowledge"])
    func curlCallsByJSONAndGetsPictures(_ version: String) async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0"]) { stand in
            let address = try await stand.server.listeningAddress("http")
            func curl(_ arguments: [String]) async throws -> String {
                let options = ["--silent", "--show-error", version]
                let curl = try await succeeded(RunningProgram.run("/usr/bin/curl", options + arguments))
                return curl.output
            }
            func call(_ method: String, _ json: String) async throws -> [String: Any] {
                let url = "http://\(address)/marvel.v1.MarvelService/\(method)"
                let answer = try await curl(["--header", "Content-Type: application/json", "--data", json, url])
                return try #require(JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
            }
            let page = try await call("SearchCharacters", #"{"query":"spider","pageSize":2}"#)
            #expect((page["total"] as? Int, (page["characters"] as? [Any])?.count) == (21, 2))
            let saved = try await call("ToggleFavorite", #"{"characterId":"1009610","desired":"DESIRED_SAVED"}"#)
            #expect(saved["revision"] as? String == "1")
            let short = try await call("SearchCharacters", #"{"query":"s"}"#)
            #expect(short["code"] as? String == "invalid_argument")
            let url = "http://\(address)/marvel.v1.MarvelService/SuggestNames"
            let query = ["--get", "--data", "encoding=json", "--data-urlencode", #"message={"query":"hulk"}"#]
            let suggested = try await curl(query + ["--write-out", " %{http_code} %header{cache-control}", url])
            #expect(suggested.contains(#""names":["Hulk""#) && suggested.hasSuffix(" 200 public, max-age=60"))
            let picture = "http://\(address)/pictures/1009610/standard_large"
            let format = "%{http_code} %{content_type} %header{etag}"
            let found = try await curl(["--output", "/dev/null", "--write-out", format, picture])
                .split(separator: " ")
            #expect(found.prefix(2) == ["200", "image/png"])
            let tag = "If-None-Match: \(found.last ?? "")"
            #expect(try await curl(["--header", tag, "--write-out", "%{http_code}", picture]) == "304")
        }
    }
}
