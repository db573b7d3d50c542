import HTTPFraming
import NIOCore
import RPCCore
import Testing

@testable import RPCServer

/// The answers to methods that a path does not have, and to paths that do not exist.
@Suite(.timeLimit(.minutes(10)))
struct RouteTests {
    @Test(
        arguments: ["GET", "HEAD", "PUT", "DELETE", "PATCH"],
        ["/test.v1.Test/Unknown", "/no.Service/Echo", "/nothing"]
    )
    func aPathThatDoesNotExistIs404(_ verb: String, _ path: String) async throws {
        try await HTTPAnswer.ofBothVersions(verb, path) { answer in
            #expect((answer.status, answer.headers["allow"]) == (404, nil))
        }
    }

    @Test(arguments: [
        "/nothing", "/test.v1.Test/Echo", "/pictures/999/full", "/pictures/1/full", "/file",
        "/test.v1.Test/FailedRead?encoding=proto&message=", "/test.v1.Test/Shared?encoding=proto&message=a",
    ])
    func anAnswerToHEADHasTheLengthOfTheBodyAndNone(_ path: String) async throws {
        let file = StaticFile(path: "/file", mediaType: "text/plain", bytes: ByteBuffer(string: "file"), headers: [:])
        try await HTTPAnswer.ofBothVersions("HEAD", path, rules: HTTPRules(files: [file])) { answer in
            #expect(answer.body.isEmpty)
            #expect(answer.headers["content-length"].flatMap(Int.init).map { $0 > 0 } == true)
        }
    }
}
