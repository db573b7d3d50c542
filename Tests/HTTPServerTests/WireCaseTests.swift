import Foundation
import HTTPFraming
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCClient
import RPCCore
import Testing
import WireMessages

@testable import RPCServer

/// The same calls over every wire: what a caller gets does not depend on how it comes.
@Suite(.timeLimit(.minutes(1)))
struct WireCaseTests {
    /// A call, and its outcome.
    struct Case: Sendable, CustomTestStringConvertible {
        var method: String
        var request: [UInt8] = []
        var metadata: [(String, String)] = []
        var timeout: Duration?
        var outcome: Outcome

        var testDescription: String { "\(method) \(request.count) \(metadata.count)" }
    }

    /// The messages of the answer, by their numbers of bytes, and its status.
    struct Outcome: Sendable, Equatable {
        var sizes: [Int] = []
        var code = StatusCode.ok
        var message = ""
        var reason: ErrorReason?
        var metadata: [String: String] = [:]

        init(_ sizes: [Int]) { self.sizes = sizes }

        init(_ error: RPCError) {
            (code, message, reason) = (error.code, error.message, error.reason)
            metadata = error.info?.metadata ?? [:]
        }
    }

    static let long = [UInt8](repeating: 1, count: 200_001)

    static let cases = [
        Case(method: "Echo", outcome: Outcome([0])),
        Case(method: "Echo", request: [1], outcome: Outcome([1])),
        Case(method: "Echo", request: Array(long.dropLast()), outcome: Outcome([200_000])),
        Case(method: "Echo", request: [1], metadata: [("x-key", "v"), ("x-key", "w")], outcome: Outcome([1])),
        Case(method: "Metadata", outcome: Outcome([0])),
        // x-key=v, x-key=w and x-other=, each with its end.
        Case(
            method: "Metadata",
            metadata: [("x-key", "v"), ("x-key", "w"), ("x-other", "")],
            outcome: Outcome([8 + 8 + 9])
        ),
        Case(method: "Echo", request: long, outcome: Outcome(.requestTooLarge(200_001, maximum: 200_000))),
        Case(method: "Count", request: [0, 3, 0, 0, 0, 9], outcome: Outcome([9, 9, 9])),
        Case(method: "Count", request: [0, 0, 0, 0, 0, 0], outcome: Outcome([])),
        Case(method: "Count", request: [4, 0, 0, 0, 1, 0], outcome: Outcome([Int](repeating: 256, count: 1_024))),
        Case(method: "Count", request: [0, 2, 0, 2, 0, 0], outcome: Outcome([131_072, 131_072])),
        Case(
            method: "Fail",
            outcome: Outcome(
                RPCError(.notFound, reason: .characterNotFound, "there is no %é", metadata: ["id": "7"])
            )
        ),
        Case(method: "Wait", timeout: .milliseconds(30), outcome: Outcome(.deadlineExceeded)),
        Case(
            method: "Nothing",
            outcome: Outcome(
                RPCError(
                    .unimplemented,
                    reason: .methodUnknown,
                    "unknown method of the service test.v1.Test",
                    metadata: ["service": "test.v1.Test"]
                )
            )
        ),
    ]

    @Test(arguments: cases) func overTheFramedWire(_ wanted: Case) async throws {
        try await HTTPTestServer.run(wires: [.framed]) { server in
            let client = RPCClient(addresses: [server.addresses[0]])
            let outcome = await Self.outcome(of: wanted, with: client)
            #expect(outcome == wanted.outcome)
            await client.shutdown()
        }
    }

    @Test(arguments: cases) func overGRPC(_ wanted: Case) async throws {
        try await HTTP2Peer.run { server, peer in
            let outcome = try await Self.outcome(of: wanted, with: &peer)
            #expect(outcome == wanted.outcome)
        }
    }

    @Test(arguments: cases, [1, 2]) func overConnect(_ wanted: Case, _ version: Int) async throws {
        try await HTTPTestServer.run { server in
            let answer: (status: Int, body: [UInt8])
            if version == 1 {
                answer = try await Self.connectOverHTTP1(wanted, server)
            } else {
                answer = try await Self.connectOverHTTP2(wanted, server)
            }
            let outcome = try Self.outcome(of: wanted, answer.status, answer.body)
            #expect(outcome == wanted.outcome)
        }
    }

    // MARK: The framed wire

    private static func outcome(of wanted: Case, with client: RPCClient) async -> Outcome {
        let path = MethodPath(service: "test.v1.Test", method: wanted.method)
        var metadata = Metadata()
        for (key, value) in wanted.metadata { metadata.append(key, value) }
        let request = ByteBuffer(bytes: wanted.request)
        do throws(RPCError) {
            guard wanted.isStream else {
                let answer = try await client.unary(path, request, timeout: wanted.timeout, metadata: metadata)
                return Outcome([answer.readableBytes])
            }
            var sizes: [Int] = []
            let stream = client.serverStream(path, request, timeout: wanted.timeout, metadata: metadata)
            let messages = stream.makeAsyncIterator()
            while let message = try await messages.next() { sizes.append(message.readableBytes) }
            return Outcome(sizes)
        } catch {
            return Outcome(error)
        }
    }

    // MARK: gRPC

    private static func outcome(of wanted: Case, with peer: inout HTTP2Peer) async throws -> Outcome {
        var headers = wanted.metadata
        if let timeout = wanted.timeout { headers.append(("grpc-timeout", "\(timeout.milliseconds)m")) }
        let id = try await peer.begin(HTTP2Peer.head(wanted.method, headers))
        try await peer.send(HTTP2Peer.prefixed(wanted.request), on: id)
        let answer = try await peer.answer(on: id)
        guard answer.status != .ok else { return Outcome(answer.messages.map(\.readableBytes)) }
        let text = try #require((answer.trailers ?? answer.head)?.first(name: "grpc-status-details-bin"))
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        let bytes = try #require(Data(base64Encoded: text + padding))
        return Outcome(try RPCError(decodingStatus: ByteBuffer(bytes: bytes), limit: .response))
    }

    // MARK: Connect

    private static func connectHeaders(_ wanted: Case) -> [(String, String)] {
        let type = wanted.isStream ? "application/connect+proto" : "application/proto"
        let timeout = wanted.timeout.map { [("connect-timeout-ms", "\($0.milliseconds)")] } ?? []
        return [("content-type", type)] + timeout + wanted.metadata
    }

    private static func connectOverHTTP1(_ wanted: Case, _ server: RPCServer) async throws -> (Int, [UInt8]) {
        var result = (0, [UInt8]())
        try await HTTP1Peer.connected(to: server) { peer in
            var headers = connectHeaders(wanted)
            headers[0].0 = "Content-Type"
            let response = try await peer.call(wanted.method, wanted.body, headers)
            let answer = try #require(response)
            result = (answer.status, answer.body)
        }
        return result
    }

    private static func connectOverHTTP2(_ wanted: Case, _ server: RPCServer) async throws -> (Int, [UInt8]) {
        var result = (0, [UInt8]())
        try await HTTP2Peer.connected(to: server) { peer in
            let id = try await peer.begin(HTTP2Peer.head(wanted.method, connectHeaders(wanted)))
            try await peer.send(ByteBuffer(bytes: wanted.body), on: id)
            let answer = try await peer.answer(on: id)
            result = (Int(answer.head?.first(name: ":status") ?? "") ?? 0, Array(answer.data.readableBytesView))
        }
        return result
    }

    private static func outcome(of wanted: Case, _ status: Int, _ body: [UInt8]) throws -> Outcome {
        guard wanted.isStream else {
            return status == 200 ? Outcome([body.count]) : try outcome(ofError: body)
        }
        var bytes = ByteBuffer(bytes: body)
        var sizes: [Int] = []
        while let (flags, length) = bytes.readMultipleIntegers(as: (UInt8, UInt32).self) {
            let content = bytes.readBytes(length: Int(length))
            let message = try #require(content)
            guard flags == 0 else {
                #expect((flags, bytes.readableBytes) == (2, 0))
                return message == Array("{}".utf8) ? Outcome(sizes) : try outcome(ofError: message)
            }
            sizes.append(message.count)
        }
        Issue.record("the stream has no end")
        return Outcome(sizes)
    }

    /// Reads an error's JSON.
    private static func outcome(ofError json: [UInt8]) throws -> Outcome {
        struct Failure: Decodable {
            struct Detail: Decodable {
                struct Debug: Decodable {
                    var reason: String
                    var metadata: [String: String]
                }

                var debug: Debug?
            }

            var code: String
            var message: String
            var details: [Detail]?
        }

        struct LastMessage: Decodable { var error: Failure }

        let data = Data(json)
        let failure =
            try (try? JSONDecoder().decode(LastMessage.self, from: data))?.error
            ?? JSONDecoder().decode(Failure.self, from: data)
        var outcome = Outcome([])
        outcome.code = StatusCode.allCases.first { $0.jsonName == failure.code } ?? .unknown
        outcome.message = failure.message
        outcome.reason = failure.details?.first?.debug.map { ErrorReason(rawValue: $0.reason) }
        outcome.metadata = failure.details?.first?.debug?.metadata ?? [:]
        return outcome
    }
}

extension WireCaseTests.Case {
    var isStream: Bool { method == "Count" }

    /// The request as a body of Connect.
    var body: [UInt8] {
        isStream ? Array(HTTP2Peer.prefixed(request).readableBytesView) : request
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.attoseconds / 1_000_000_000_000_000 + components.seconds * 1_000 }
}
