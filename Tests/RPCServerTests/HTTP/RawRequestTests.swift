import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import RPCServer

/// The raw requests to servers of Connect's conformance suite that are of gRPC without streams of requests: the files
/// `grpc_server_unexpected`, `grpc_server_proto_subformat`, `server_unexpected` and `server_message_size`.
@Suite(.timeLimit(.minutes(10)))
struct RawRequestTests {
    /// A request, and what the suite expects of its answer.
    struct Case: CustomTestStringConvertible {
        var name: String
        var headers: [(String, String)] = []
        var body: [UInt8] = [0, 0, 0, 0, 0]
        /// The status of gRPC, or else that of HTTP.
        var status: StatusCode?
        var httpStatus = "200"

        var testDescription: String { name }
    }

    private static let messages: [UInt8] = [0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 1, 7]

    static let cases = [
        Case(name: "unary/no-request", body: [], status: .unimplemented),
        Case(name: "unary/multiple-requests", body: messages, status: .unimplemented),
        Case(name: "server-stream/no-request", headers: stream, body: [], status: .unimplemented),
        Case(name: "server-stream/multiple-requests", headers: stream, body: messages, status: .unimplemented),
        Case(name: "unexpected-verb", headers: [(":method", "DELETE")], httpStatus: "405"),
        Case(name: "unexpected-uri", headers: [(":path", "/test.v1.Unknown/Unknown")], status: .unimplemented),
        // This and the next are not of the suite.
        Case(name: "uri-without-service", headers: [(":path", "/Echo")], status: .unimplemented),
        Case(name: "no-time", headers: [("grpc-timeout", "0S")], status: .deadlineExceeded),
        Case(name: "unexpected-codec", headers: [("content-type", "application/grpc+foo")], httpStatus: "415"),
        Case(name: "unexpected-compression", headers: [("grpc-encoding", "foo")], status: .unimplemented),
        Case(
            name: "unexpected-compressed-message",
            headers: [("grpc-encoding", "identity")],
            body: [1, 0, 0, 0, 0],
            status: .internalError
        ),
        Case(name: "incomplete-message", body: [0, 0, 0, 0, 10, 0, 0, 0], status: .internalError),
        Case(name: "incomplete-message-prefix", body: [0, 0, 0], status: .internalError),
        Case(name: "unexpected-content-type", headers: [("content-type", "image/jpeg")], httpStatus: "415"),
        Case(name: "with-proto-sub-format", headers: [("content-type", "application/grpc+proto")], status: .ok),
        Case(name: "without-proto-sub-format", status: .ok),
        Case(name: "unary/request-equal-to-server-limit", body: prefixed(200_000), status: .ok),
        Case(name: "unary/request-exceeds-server-limit", body: prefixed(200_010), status: .resourceExhausted),
        Case(
            name: "server-stream/request-exceeds-server-limit",
            headers: stream,
            body: prefixed(5_000_000),
            status: .resourceExhausted
        ),
    ]

    private static let stream = [(":path", "/test.v1.Test/Count")]

    private static func prefixed(_ byteCount: Int) -> [UInt8] {
        Array(HTTP2Peer.prefixed([UInt8](repeating: 0, count: byteCount)).readableBytesView)
    }

    @Test(arguments: cases)
    func aRawRequestIsAnsweredAsTheSuiteExpects(_ request: Case) async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Echo", request.headers))
            await peer.send(ByteBuffer(bytes: request.body), on: id)
            let answer = try await peer.answer(on: id)
            #expect(answer.status == request.status)
            #expect(answer.head?.first(name: ":status") == request.httpStatus)
            let next = try await peer.call("Echo", [7])
            #expect(next.status == .ok, "the connection continues")
        }
    }
}
