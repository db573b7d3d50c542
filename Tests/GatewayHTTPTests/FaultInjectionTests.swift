import HTTPFraming
import Synchronization
import Testing

@testable import GatewayHTTP

@Suite struct FaultInjectionTests {
    private func gateway(_ configure: (inout FaultInjection) throws -> Void) throws -> Gateway {
        var fixture = GatewayFixture()
        try configure(&fixture.settings.faultInjection)
        return try fixture.gateway()
    }

    @Test func anErrorIsAPageOfHTMLWhateverIsAsked() throws {
        let gateway = try gateway { $0.errorShare = try #require(Ratio("1")) }
        for target in ["/v1/public/characters", "/v1/public/characters?\(Vector.credentials)", "/emblem/3.png"] {
            let reply = gateway.reply(target)
            #expect([500, 502, 503, 504].contains(reply.status))
            #expect(reply["Content-Type"] == "text/html")
            #expect(reply.text.contains("<title>\(reply.status) "))
        }
    }

    @Test func aCutAnswerIsOneThatWouldHaveBeenASuccess() throws {
        let gateway = try gateway { $0.cutShare = try #require(Ratio("1")) }
        #expect(gateway.search().ending == .cut)
        #expect(gateway.reply("/emblem/3/standard_small.png").ending == .cut)
        #expect(gateway.search("limit=0").ending == .whole)
        #expect(gateway.search { $0.ifNoneMatch = "*" }.ending == .whole)
    }

    @Test func wrongJSONComesInThreeKindsAndNeverAsAWholePage() throws {
        let gateway = try gateway { $0.wrongJSONShare = try #require(Ratio("1")) }
        let honest = try GatewayFixture().gateway().search()
        let replies = (0..<50).map { _ in gateway.search() }
        #expect(replies.allSatisfy { $0.status == 200 && $0.ending == .whole })
        #expect(replies.allSatisfy { (try? $0.page()) == nil })
        #expect(replies.contains { honest.text.hasPrefix($0.text) && $0.body.count < honest.body.count })
        #expect(replies.contains { $0.text == #"{"code":200,"status":"Ok","data":[]}"# })
        #expect(replies.contains { $0["Content-Type"] == "text/html" })
        #expect(gateway.reply("/emblem/3/standard_small.png")["Content-Type"] == "image/png")
    }

    @Test func wrongJSONInGzipIsWrongInsideAndWholeOutside() throws {
        let gateway = try gateway { $0.wrongJSONShare = try #require(Ratio("1")) }
        let honest = try GatewayFixture().gateway().search().body.count
        for reply in (0..<20).map({ _ in gateway.search { $0.acceptEncoding = "gzip" } }) {
            #expect(reply["Content-Encoding"] == "gzip")
            #expect(throws: Never.self) { try Gzip.decompress(reply.body, maximum: honest) }
        }
    }

    @Test func answersAreDelayed() throws {
        let gateway = try gateway { $0.latency = try #require(LatencyRange("250ms")) }
        let request = GatewayRequest(target: "/v1/public/characters?\(Vector.credentials)", host: "h")
        #expect(gateway.answer(request).delay == .milliseconds(250))
    }

    @Test func theQuotaCountsSignedCallsOfEachKeyAndTellsNoMoreThanTheOriginal() throws {
        let time = Mutex(Duration.zero)
        var fixture = GatewayFixture(uptime: { time.withLock { $0 } })
        fixture.settings.quota = RollingQuota.Limit(calls: 2, window: .seconds(60))
        let gateway = try fixture.gateway()
        #expect(gateway.reply("/v1/public/characters").status == 409)
        #expect(gateway.search("limit=0").status == 409)
        #expect(gateway.search().status == 200)
        let refused = gateway.search("limit=0")
        #expect(refused.status == 429)
        #expect(
            refused.text
                == #"{"code":"RequestThrottled","message":"You have exceeded your rate limit.  Please try again later."}"#
        )
        #expect(refused["Retry-After"] == nil)
        #expect(gateway.reply("/emblem/3/standard_small.png").status == 200)
        time.withLock { $0 = .seconds(59) }
        #expect(gateway.search().status == 429)
        time.withLock { $0 = .seconds(119) }
        #expect(gateway.search().status == 200)
    }
}
