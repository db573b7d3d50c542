import Foundation
import Logging
import NIOCore
import NIOPosix
import RPCCore
import RPCServer
import Testing
import WireClients

@testable import GatewayHTTP

/// The behavior that cannot be seen without a socket.
@Suite struct GatewayServerTests {
    private let search = "/v1/public/characters?\(Vector.credentials)"

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
