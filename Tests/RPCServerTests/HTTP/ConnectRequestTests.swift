import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import RPCServer

/// The requests of Connect's conformance suite to servers that are of Connect without streams of requests, over both versions
/// of HTTP: the files `connect_server_unexpected`, `server_empty`, `errors` and `timeouts`.
@Suite(.timeLimit(.minutes(10)))
struct ConnectRequestTests {
    /// A request, and what the suite expects of its answer.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var verb = "POST"
        var path = "/test.v1.Test/Echo"
        var contentType = "application/proto"
        var headers: [(String, String)] = []
        var body: [UInt8] = []
        var httpStatus = 200
        /// A part of the answer.
        var text = ""

        var testDescription: String { name }
    }

    private static let streamType = "application/connect+proto"
    private static let count = "/test.v1.Test/Count"
    private static let empty: [UInt8] = [0, 0, 0, 0, 0]
    private static let characters = "\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\n"

    static let cases =
        [
            Case(name: "unexpected-content-type", contentType: "image/jpeg", body: [1, 2], httpStatus: 415),
            stream("server-stream/no-request", [], "unimplemented"),
            stream("server-stream/multiple-requests", empty + empty, "unimplemented"),
            Case(name: "unexpected-verb", verb: "DELETE", httpStatus: 405),
            Case(
                name: "unexpected-uri",
                path: "/test.v1.Unknown/Unknown",
                httpStatus: 404,
                text: #""code":"unimplemented""#
            ),
            Case(
                name: "unexpected-compression",
                headers: [("content-encoding", "foo")],
                httpStatus: 501,
                text: #""code":"unimplemented""#
            ),
            stream(
                "unexpected-compressed-message",
                [1, 0, 0, 0, 0],
                "internal",
                headers: [("connect-content-encoding", "identity")]
            ),
            Case(name: "unary/empty-request"),
            Case(name: "server-stream/empty-request", path: count, contentType: streamType, body: empty, text: "{}"),
            Case(
                name: "timeouts/unary",
                path: "/test.v1.Test/Hold",
                headers: [("connect-timeout-ms", "20")],
                httpStatus: 504,
                text: #""code":"deadline_exceeded""#
            ),
            stream(
                "timeouts/server-stream",
                empty,
                "deadline_exceeded",
                path: "/test.v1.Test/Hold",
                headers: [("connect-timeout-ms", "20")]
            ),
        ] + otherCases
        + codes.enumerated().flatMap { errors(UInt8($0.offset + 1), $0.element.name, $0.element.httpStatus) }

    /// Those that are not of the suite.
    private static let otherCases =
        [
            ("connect-protocol-version", "2", 400), ("connect-timeout-ms", "soon", 400),
            ("connect-timeout-ms", "12345678901", 400), ("connect-timeout-ms", "0", 504),
            ("content-encoding", "identity", 200),
        ].map { name, value, status in
            Case(name: "\(name) \(value)", headers: [(name, value)], body: [7], httpStatus: status)
        } + [
            stream("server-stream/cut-request", [0, 0, 0], "invalid_argument"),
            stream("server-stream/unknown-flag", [2, 0, 0, 0, 0], "invalid_argument"),
            stream("server-stream/large-request", [0, 9, 0, 0, 0], "resource_exhausted"),
        ]

    /// The codes from 1 on (connectrpc.com/docs/protocol, "Error Codes").
    private static let codes: [(name: String, httpStatus: Int)] = [
        ("canceled", 499), ("unknown", 500), ("invalid_argument", 400), ("deadline_exceeded", 504), ("not_found", 404),
        ("already_exists", 409), ("permission_denied", 403), ("resource_exhausted", 429), ("failed_precondition", 400),
        ("aborted", 409), ("out_of_range", 400), ("unimplemented", 501), ("internal", 500), ("unavailable", 503),
        ("data_loss", 500), ("unauthenticated", 401),
    ]

    /// Makes a call of a stream that fails.
    private static func stream(
        _ name: String,
        _ body: [UInt8],
        _ code: String,
        path: String = count,
        headers: [(String, String)] = []
    ) -> Case {
        Case(
            name: name,
            path: path,
            contentType: streamType,
            headers: headers,
            body: body,
            text: #"{"error":{"code":"\#(code)""#
        )
    }

    /// Makes the calls that fail with a code.
    private static func errors(_ number: UInt8, _ name: String, _ httpStatus: Int) -> [Case] {
        let body = [number] + Array(characters.utf8)
        let message = #""message":"\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\n""#
        let path = "/test.v1.Test/Status"
        return [
            Case(
                name: "errors/unary/\(name)",
                path: path,
                body: body,
                httpStatus: httpStatus,
                text: #"{"code":"\#(name)",\#(message)"#
            ),
            Case(
                name: "errors/server-stream/\(name)",
                path: path,
                contentType: streamType,
                body: [0, 0, 0, 0, UInt8(body.count)] + body,
                text: #"{"error":{"code":"\#(name)",\#(message)"#
            ),
        ]
    }

    @Test(arguments: cases) func aRequestIsAnsweredAsTheSuiteExpects(_ request: Case) async throws {
        let headers = [("content-type", request.contentType)] + request.headers
        try await HTTPAnswer.ofBothVersions(request.verb, request.path, headers, request.body) { answer in
            #expect(answer.status == request.httpStatus)
            #expect(answer.text.contains(request.text), "\(answer.text)")
        }
    }
}
