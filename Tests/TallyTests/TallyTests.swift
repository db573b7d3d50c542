import ChildProcesses
import Foundation
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import TallyService
import Testing

/// A service that is not Marvel's, written with what is public, and called by clients that are not of this project. All of
/// them call at one port.
@Suite(.timeLimit(.minutes(10)))
struct TallyTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let repository = folder.appending(path: "../..").standardizedFileURL

    /// Runs a program, and returns the lines that it printed.
    private func lines(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> [String] {
        let run = try await ChildProcess.run(program, arguments, environment: environment)
        try #require(run.status == 0, "\(run.output) \(run.errors)")
        return run.output.split(separator: "\n").map(String.init)
    }

    private func serving(_ services: [RPCService], _ body: (String) async throws -> Void) async throws {
        let server = try await RPCServer.listen(on: [.tcp(host: "127.0.0.1", port: 0)], services: services)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body("\(server.addresses[0])"))
        } catch {
            result = .failure(error)
        }
        await server.close()
        try result.get()
    }

    // MARK: Peers

    /// containerd's own ttrpc package for Go, as Debian has it.
    @Test func theGoClientOfTTRPCCalls() async throws {
        let folder = try TemporaryFolder()
        let program = folder.path("client")
        _ = try await lines(
            "/usr/bin/go",
            ["build", "-o", program, Self.folder.appending(path: "Peers/GoClient/main.go").path],
            environment: [
                "GO111MODULE": "off", "GOPATH": "/usr/share/gocode",
                "GOCACHE": Self.repository.appending(path: ".build/go").path,
            ]
        )
        try await serving([Tally().service]) { address in
            let lines = try await lines(program, [address])
            #expect(
                lines == [
                    "add OK go 5", "add OK go 3", "no name InvalidArgument name is empty", "no method Unimplemented",
                ]
            )
        }
    }

    @Test func thePythonClientOfGRPCListsAndWatches() async throws {
        try await serving([Tally().service]) { address in
            let lines = try await lines(
                Self.repository.appending(path: ".build/peers/bin/python").path,
                [Self.folder.appending(path: "Peers/grpc_client.py").path, address]
            )
            #expect(
                lines == [
                    "list 1000 ('python-000', 0, 0) ('python-999', 999, 0)", "added ('python-007', 10, 1001)",
                    "change ('python-007', 10, 1001)", "added ('python', 1, 1002)", "change ('python', 1, 1002)",
                    // The log keeps 1,000 of the 1,002 entries.
                    "old OUT_OF_RANGE", "old OUT_OF_RANGE", "no name INVALID_ARGUMENT name is empty",
                ]
            )
        }
    }

    /// Connect with JSON, on both versions of HTTP.
    @Test(arguments: ["--http1.1", "--http2-prior-knowledge"])
    func curlCallsByJSON(_ version: String) async throws {
        try await serving([Tally().service]) { address in
            func call(_ method: String, _ json: String) async throws -> [String] {
                let url = "http://\(address)/tally.v1.Tally/\(method)"
                let header = "Content-Type: application/json"
                return try await lines("/usr/bin/curl", ["-s", version, "-H", header, "-d", json, url])
            }
            let count = try await call("Add", #"{"name":"curl"}"#).joined()
            for field in [#""name":"curl""#, #""value":1"#, #""number":1"#] {
                #expect(count.contains(field), "\(count)")
            }
            let failure = try await call("Add", "{}").joined()
            #expect(failure.contains(#""code":"invalid_argument""#))
            #expect(failure.contains("VALUE_INVALID"))
            #expect(try await call("Add", #"{"name":7}"#).joined().contains("REQUEST_MALFORMED"))
            // A caller that takes no stream gets the first message.
            #expect(try await call("List", #"{"prefix":"cu"}"#).joined().contains(#""name":"curl""#))
        }
    }

    // MARK: The end of a stream

    /// The stream ends while the connection drops it, and the log wakes the watch of the same connection.
    @Test func aStreamThatEndsMayAppendToALogThatItsConnectionWatches() async throws {
        let log = RPCLog<Number>(capacity: 8)
        log.append(Number(7))
        let stay = RPCMethod.serverStream("Stay") { (_: Number, _) in
            AsyncStream<Number> { continuation in
                for number in 1...10 as ClosedRange<Int64> { continuation.yield(Number(number)) }
                continuation.onTermination = { _ in log.append(Number(9)) }
            }
        }
        let watch = RPCMethod.watch("Watch") { (_: Number, _) in log.entries(after: 0) }
        try await serving([RPCService(name: "test.Presence", methods: [stay, watch])]) { address in
            var options = RPCClientOptions()
            options.streamWindow = 1
            let client = RPCClient(addresses: [try #require(ServerAddress(address))], options: options)
            func stream(_ method: String) -> RPCResponseStream {
                client.serverStream(MethodPath(service: "test.Presence", method: method), ByteBuffer())
            }
            let changes = stream("Watch").makeAsyncIterator()
            #expect(try await changes.next() == ByteBuffer(bytes: [7]))
            for try await first in stream("Stay") {
                #expect(first == ByteBuffer(bytes: [1]))
                break
            }
            #expect(try await changes.next() == ByteBuffer(bytes: [9]))
            await client.shutdown()
        }
    }

    // MARK: The article

    @Test func theArticleShowsTheService() throws {
        let example = Self.repository.appending(path: "Tests/TallyService/Tally.swift")
        let article = Self.repository.appending(path: "Sources/RPCServer/Documentation.docc/WritingAService.md")
        let code = try String(contentsOf: example, encoding: .utf8)
        #expect(try String(contentsOf: article, encoding: .utf8).contains("```swift\n\(code)```"))
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 60)
    }
}

/// A message of one byte.
private struct Number: RPCMessage, Codable {
    var value: UInt8

    init(_ value: Int64) { self.value = UInt8(truncatingIfNeeded: value) }

    init(encoded bytes: [UInt8]) throws { value = bytes.first ?? 0 }

    func encoded() -> [UInt8] { [value] }
}
