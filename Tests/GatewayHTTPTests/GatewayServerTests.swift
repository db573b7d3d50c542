import Foundation
import Logging
import NIOCore
import NIOPosix
import RPCCore
import RPCServer
import Testing

@testable import GatewayHTTP

/// The behavior that cannot be seen without a socket.
@Suite struct GatewayServerTests {
    private let search = "/v1/public/characters?\(Vector.credentials)"

    @Test func anAnswerHasExactlyTheBytesItAnnounces() async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.exchange(
                "GET \(search) HTTP/1.1\r\nHost: pictures.test:99\r\nConnection: close\r\n\r\n"
            )
            #expect(reply.statusLine == "HTTP/1.1 200 OK")
            #expect(reply["content-length"] == String(reply.body.utf8.count))
            #expect(reply["content-type"] == "application/json; charset=utf-8")
            #expect(reply["connection"] == "close")
            #expect(reply["transfer-encoding"] == nil)
            #expect(reply["etag"]?.count == 40)
            #expect(reply.body.contains(#""path":"http://pictures.test:99/emblem/3""#))
            #expect(reply.body.hasSuffix("}]}]}}"))
        }
    }

    @Test func repliesWithoutABodyLeaveTheConnectionUsable() async throws {
        try await RunningGateway.with { gateway in
            let requests = ["HEAD \(search)", "OPTIONS \(search)", "GET \(search)&limit=0"].map {
                "\($0) HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n"
            }
            let notModified = "GET \(search) HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\nConnection: close\r\n\r\n"
            let reply = try await gateway.exchange(requests.joined() + notModified)
            let statusLines = reply.all.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }
            #expect(statusLines.count == 3, "the third answer's line stands behind a body")
            #expect(reply.all.contains("HTTP/1.1 405 "))
            #expect(reply.all.contains("HTTP/1.1 204 "))
            #expect(reply.all.contains(#"limit greater than 0."}HTTP/1.1 304 "#))
            #expect(reply.all.hasSuffix("\r\n\r\n"))
            // One length each for HEAD and for the error; 204 and 304 have none.
            #expect(reply.all.lowercased().ranges(of: "content-length:").count == 2)
        }
    }

    @Test(arguments: ["Host: a'b\r\n", "Host: \r\n", ""])
    func anInvalidHostIsReplacedByTheAddressOfTheConnection(header: String) async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.exchange("GET \(search) HTTP/1.0\r\n\(header)Connection: close\r\n\r\n")
            #expect(reply.body.contains(#""path":"http://127.0.0.1:\#(gateway.port)/emblem/3""#))
        }
    }

    @Test func aCutAnswerEndsInTheMiddleOfTheBody() async throws {
        var fixture = GatewayFixture()
        fixture.settings.faultInjection.cutShare = try #require(Ratio("1"))
        let whole = try GatewayFixture().gateway().search { $0.host = "h" }
        try await RunningGateway.with(fixture) { gateway in
            let reply = try await gateway.exchange("GET \(search) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(reply["content-length"] == String(whole.body.count))
            #expect(reply.body == String(decoding: whole.body.prefix(whole.body.count / 2), as: UTF8.self))
        }
    }

    @Test func aGatewayThatStopsDoesNotWaitOutItsOwnLatency() async throws {
        var fixture = GatewayFixture()
        fixture.settings.faultInjection.latency = try #require(LatencyRange("1h"))
        let reply = try await RunningGateway.with(fixture) { gateway in
            async let reply = gateway.exchange("GET \(search) HTTP/1.1\r\nHost: h\r\n\r\n")
            // The answer is worked out before it is held back: once it is logged, the request is under way.
            try await gateway.firstAnswerIsLogged()
            gateway.stop()
            return try await reply
        }
        #expect(reply.statusLine == "HTTP/1.1 200 OK")
    }

    @Test func noKeyAndNoHashIsEverLogged() async throws {
        try await RunningGateway.with { gateway in
            for target in [
                search, "/v1/public/foo?\(Vector.credentials)", "/v1/public/characters/1&\(Vector.credentials)",
            ] {
                _ = try await gateway.exchange("GET \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            }
            let lines = gateway.log.lines
            #expect(lines.count { $0.contains("answered") } == 3)
            #expect(lines.allSatisfy { !$0.contains("1234") && !$0.contains("ffd275c5") && !$0.contains("apikey") })
        }
    }
}
