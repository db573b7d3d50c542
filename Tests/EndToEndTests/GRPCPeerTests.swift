import ChildProcesses
import Foundation
import Testing

/// Clients of gRPC and HTTP/2 that are not of this project, as Debian has them, on the HTTP port of the server as it is
/// shipped.
@Suite(.timeLimit(.minutes(10)))
struct GRPCPeerTests {
    /// The catalog has a search with 20,000 results: a stream so long that clients measure the connection with pings.
    private static let catalog = ["--catalog", "synthetic:50000"]
    private static let longQuery = "ar"

    /// Starts a server with a HTTP port, and passes its address.
    private func withPort(_ arguments: [String] = [], _ body: (_ address: String) async throws -> Void) async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0"] + arguments) { stand in
            try await body(try await stand.server.listeningAddress("http"))
        }
    }

    /// Runs a program that has to succeed, and returns the lines of its output.
    private func lines(_ program: String, _ arguments: [String]) async throws -> [String] {
        let run = try await RunningProgram.run(program, arguments)
        try #require(run.status == 0, "\(program): \(run.output) \(run.errors)")
        return run.output.split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test func theGoClientOfGRPCMakesCallsOfEachKind() async throws {
        let folder = try TemporaryFolder()
        let program = try await Peers.buildGo("GRPCGoClient", in: folder)
        try await withPort(Self.catalog) { address in
            let output = try await lines(program, [address, Self.longQuery])
            #expect(
                output == [
                    "page 4", "page 4", "page 4", "search true", "toggle OK", "watch true true",
                    "cancelled watch Canceled", "short query InvalidArgument details 2",
                    "unknown method Unimplemented", "deadline DeadlineExceeded", "metadata of 8000 OK",
                    "metadata of 9000 ResourceExhausted", "metadata of 17000 true", "after that OK",
                    "failures of calls at once 0", "long stream true",
                ]
            )
        }
    }

    /// Windows of 64 KiB, and windows smaller than an answer is long.
    @Test(arguments: [["-c4", "-m32"], ["-c2", "-m128", "-w6", "-W7"]])
    func allRequestsOfH2loadSucceed(_ load: [String]) async throws {
        let folder = try TemporaryFolder()
        // An empty message, as a request has it.
        try Data([0, 0, 0, 0, 0]).write(to: folder.url.appending(path: "message"))
        let headers = ["-H", "te: trailers", "-H", "content-type: application/grpc"]
        try await withPort { address in
            let output = try await lines(
                "/usr/bin/h2load",
                ["-n500", "-d", folder.path("message")] + load + headers
                    + ["http://\(address)/marvel.v1.MarvelService/ListFavorites"]
            )
            let requests = try #require(output.first { $0.hasPrefix("requests:") })
            #expect(requests.contains("500 succeeded, 0 failed, 0 errored, 0 timeout"), "\(requests)")
        }
    }
}
