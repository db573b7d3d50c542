import ChildProcesses
import Foundation
import Testing

/// Clients of gRPC and HTTP/2 that are not of this project, as Debian has them, on the HTTP port of the server as it is
/// shipped.
@Suite(.timeLimit(.minutes(3)))
struct GRPCPeerTests {
    /// The catalog has a search with 20,000 results: a stream so long that clients measure the connection with pings.
    private static let catalog = ["--catalog", "synthetic:50000"]
    private static let longQuery = "ar"

    /// Starts a server with a HTTP port, and passes its address.
    private func withPort(
        _ arguments: [String] = [],
        _ body: (_ stand: Stand, _ address: String) async throws -> Void
    ) async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0"] + arguments) { stand in
            try await body(stand, try await stand.server.listeningAddress("http"))
        }
    }

    /// Runs a program that has to succeed, and returns the lines of its output.
    private func lines(_ program: String, _ arguments: [String]) async throws -> [String] {
        let run = try await RunningProgram.run(program, arguments)
        try #require(run.status == 0, "\(program): \(run.output) \(run.errors)")
        return run.output.split(whereSeparator: \.isNewline).map(String.init)
    }

    // MARK: Clients made of gRPC's libraries

    @Test func theGoClientOfGRPCMakesCallsOfEachKind() async throws {
        let folder = try TemporaryFolder()
        let program = try await Peers.buildGo("GRPCGoClient", in: folder)
        try await withPort(Self.catalog) { _, address in
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

    @Test func theCppClientOfGRPCMakesCallsOfEachKind() async throws {
        let folder = try TemporaryFolder()
        _ = try await lines(
            "/usr/bin/g++",
            [
                "-std=c++17", "-O0", "-o", folder.path("client"),
                Peers.file("GRPCCppClient/client.cc"), "-lgrpc++", "-lgrpc", "-lgpr",
                "-labsl_synchronization",
            ]
        )
        try await withPort(Self.catalog) { _, address in
            let output = try await lines(folder.path("client"), [address, Self.longQuery])
            #expect(
                output == [
                    "page 4", "page 4", "page 4", "search 0", "toggle 0", "watch 1 1", "cancelled watch 0 1",
                    "short query 3 details 1", "unknown method 12", "deadline 4", "metadata of 8000 0",
                    "metadata of 9000 8", "metadata of 17000 8", "after that 0", "failures of calls at once 0",
                    "long stream 1",
                ]
            )
        }
    }

    // MARK: Tools of HTTP/2

    /// A file with an empty message, as a request has it.
    private func emptyMessage(in folder: TemporaryFolder) throws -> String {
        try Data([0, 0, 0, 0, 0]).write(to: folder.url.appending(path: "message"))
        return folder.path("message")
    }

    private static let headers = ["-H", "te: trailers", "-H", "content-type: application/grpc"]

    private func url(_ address: String, _ method: String = "ListFavorites") -> String {
        "http://\(address)/marvel.v1.MarvelService/\(method)"
    }

    /// Windows of 64 KiB, and windows smaller than an answer is long.
    @Test(arguments: [["-c4", "-m32"], ["-c2", "-m128", "-w6", "-W7"]])
    func allRequestsOfH2loadSucceed(_ load: [String]) async throws {
        let folder = try TemporaryFolder()
        let message = try emptyMessage(in: folder)
        try await withPort { _, address in
            let output = try await lines(
                "/usr/bin/h2load",
                ["-n500", "-d", message] + load + Self.headers + [url(address)]
            )
            let requests = try #require(output.first { $0.hasPrefix("requests:") })
            #expect(requests.contains("500 succeeded, 0 failed, 0 errored, 0 timeout"), "\(requests)")
        }
    }

    /// nghttp sends PRIORITY frames before its requests, and 100 of them at once.
    @Test func nghttpReadsAnswersAndTrailers() async throws {
        let folder = try TemporaryFolder()
        let message = try emptyMessage(in: folder)
        try await withPort { _, address in
            let output = try await lines(
                "/usr/bin/nghttp",
                ["-nv", "-m100", "-d", message] + Self.headers + [url(address)]
            )
            #expect(output.count { $0.contains("grpc-status: 0") } == 100)
            #expect(output.contains { $0.contains("send PRIORITY frame") })
        }
    }
}
