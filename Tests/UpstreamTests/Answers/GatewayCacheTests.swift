import Catalog
import CatalogReading
import Foundation
import MarvelDomain
import NIOCore
import RPCCore
import Synchronization
import Testing
import WireMessages

@testable import Upstream

/// The number of requests that a gateway gets for the questions to its catalog.
@Suite struct GatewayCacheTests {
    /// Answers with the spiders, or with a failure while there is one; speaks ETags.
    private final class Switch: Sendable {
        let failure = Mutex<HTTPResponse?>(nil)

        func fail(_ status: Int, _ headers: HTTPHeaders = [:]) {
            failure.withLock { $0 = HTTPResponse(status: status, headers: headers) }
        }

        func mend() { failure.withLock { $0 = nil } }
    }

    private static func gateway(_ state: Switch) -> FakeFetcher {
        FakeFetcher { _ in state.failure.withLock { $0 } ?? .spiders }
    }

    private static let oneAttempt: UpstreamLimits = {
        var limits = UpstreamLimits()
        limits.retry.maximumAttempts = 1
        return limits
    }()

    @Test func aPageIsAskedOnceADay() async throws {
        let gateway = FakeFetcher(spiders)
        let scene = try GatewayScene(gateway)
        let first = try await scene.search()
        #expect(first.provenance.freshness == Freshness(source: .gateway))
        scene.time.advance(by: .seconds(3_600))
        for text in ["spider", "SPIDER", " Spider "] {
            let page = try await scene.search(text)
            #expect(page.provenance.freshness == Freshness(source: .cache, age: .seconds(3_600)))
            #expect(try page.characters.map(\.id) == [1, 2])
            #expect(page.total == 2)
        }
        #expect(gateway.requests.count == 1)
        scene.time.advance(by: .seconds(23 * 3_600))
        #expect(try await scene.search().provenance.freshness == Freshness(source: .gateway))
        #expect(gateway.requests.count == 2)
        #expect(scene.counts[.call] == 2)
        #expect(scene.counts[.hit] == 3)
        // The signatures of the requests differ, and are not a part of the cache's key.
        #expect(Set(gateway.requests.map { $0["hash"] }).count == 2)
    }

    @Test func cachedListsAreAnsweredImmediately() async throws {
        let scene = try GatewayScene(FakeFetcher(spiders))
        _ = try await scene.search()
        guard case .ready = try scene.catalog.search(SearchQuery("spider"), match: .prefix, at: PagePlace(), limit: 10)
        else {
            Issue.record("a task was made for it")
            return
        }
        guard case .ready(let entry) = scene.catalog.character(id: 2) else {
            Issue.record("a task was made for it")
            return
        }
        #expect(entry?.character.name == "Spider-Woman")
    }

    @Test func anotherPageIsAnotherQuestion() async throws {
        let gateway = FakeFetcher(spiders)
        let scene = try GatewayScene(gateway)
        _ = try await scene.search(limit: 1)
        _ = try await scene.search(offset: 1, limit: 1)
        _ = try await scene.search(limit: 2)
        _ = try await scene.search("spi", limit: 1)
        #expect(gateway.requests.count == 4)
    }

    @Test func charactersSeenInPagesAreKnown() async throws {
        let gateway = FakeFetcher(spiders)
        let scene = try GatewayScene(gateway)
        _ = try await scene.search()
        scene.time.advance(by: .seconds(60))
        let entry = try await scene.catalog.character(id: 1).value
        #expect(entry?.character.name == "Spider-Man")
        #expect(entry?.provenance.freshness == Freshness(source: .cache, age: .seconds(60)))
        #expect(gateway.requests.count == 1)
        scene.time.advance(by: .seconds(86_400))
        _ = try await scene.catalog.character(id: 1).value
        #expect(gateway.requests.map(\.path) == ["/v1/public/characters", "/v1/public/characters/1"])
    }

    @Test func aMissingItemIsRequestedAgainAfterMinutes() async throws {
        let gateway = FakeFetcher(spiders)
        let scene = try GatewayScene(gateway)
        for _ in 0..<3 {
            let entry = try await scene.catalog.character(id: 9).value
            #expect(entry == nil)
            #expect(try await scene.search("nobody").ids.isEmpty)
        }
        #expect(gateway.requests.count == 2)
        scene.time.advance(by: .seconds(600))
        _ = try await scene.catalog.character(id: 9).value
        _ = try await scene.search("nobody")
        #expect(gateway.requests.count == 4)
    }

    /// It was on a page once; the gateway's newer word counts.
    @Test func aCharacterThatIsGoneIsNotFoundOnItsOldPage() async throws {
        let state = Switch()
        let scene = try GatewayScene(Self.gateway(state), limits: Self.oneAttempt)
        _ = try await scene.search()
        scene.time.advance(by: .seconds(86_400))
        state.failure.withLock { $0 = .json(#"{"code":404,"status":"We couldn't find that character"}"#, status: 404) }
        for _ in 0..<2 { #expect(try await scene.catalog.character(id: 1).value == nil) }
        #expect(scene.counts[.call] == 2)
    }

    // MARK: Validators

    @Test(arguments: [String(repeating: "a", count: 40), "\"quoted\"", "W/\"weak\""])
    func aStalePageIsAskedForByItsTag(_ tag: String) async throws {
        let sent = Mutex<[String?]>([])
        let gateway = TaggingGateway(tag: tag) { match in sent.withLock { $0.append(match) } }
        let scene = try GatewayScene(gateway)
        _ = try await scene.search()
        for _ in 0..<2 {
            scene.time.advance(by: .seconds(86_400))
            let page = try await scene.search()
            #expect(page.provenance.freshness == Freshness(source: .gateway))
            #expect(try page.characters.map(\.id) == [1, 2])
            #expect(try await scene.search().provenance.freshness.source == .cache, "304 made it fresh")
        }
        #expect(sent.withLock { $0 } == [nil, tag, tag])
    }

    @Test(arguments: ["with space", "ctrl\u{1}", String(repeating: "a", count: 257), ""])
    func aTagThatNoRequestCanCarryIsNotSent(_ tag: String) async throws {
        let sent = Mutex<[String?]>([])
        let gateway = TaggingGateway(tag: tag) { match in sent.withLock { $0.append(match) } }
        let scene = try GatewayScene(gateway)
        _ = try await scene.search()
        scene.time.advance(by: .seconds(86_400))
        _ = try await scene.search()
        #expect(sent.withLock { $0 } == [nil, nil])
    }

    // MARK: Failures

    @Test(arguments: [500, 503, 403, 302, 429])
    func aStaleAnswerIsBetterThanNone(_ status: Int) async throws {
        let state = Switch()
        let gateway = Self.gateway(state)
        let scene = try GatewayScene(gateway, limits: Self.oneAttempt)
        _ = try await scene.search()
        state.fail(status)
        let age = Duration.seconds(1_000 * 86_400)
        scene.time.advance(by: age)
        let page = try await scene.search()
        #expect(page.provenance.freshness == Freshness(source: .cache, age: age, isStale: true))
        #expect(try page.characters.map(\.id) == [1, 2])
        let entry = try await scene.catalog.character(id: 2).value
        #expect(entry?.provenance.freshness.isStale == true)
        #expect(scene.counts[.stale] == 2)
        await #expect(throws: CatalogError.self) { try await scene.search("other") }
        state.mend()
        scene.time.advance(by: .seconds(3_600))
        #expect(try await scene.search().provenance.freshness == Freshness(source: .gateway))
    }

    @Test func aStreamOfFailuresCostsFewRequestsAndEveryCallerGetsThePage() async throws {
        let state = Switch()
        let gateway = Self.gateway(state)
        let scene = try GatewayScene(gateway, limits: Self.oneAttempt)
        _ = try await scene.search()
        state.fail(500)
        scene.time.advance(by: .seconds(86_400))
        for _ in 0..<100 { #expect(try await scene.search().provenance.freshness.isStale) }
        #expect(gateway.requests.count == 1 + 5, "five failures in a row open the circuit")
        #expect(scene.counts[.refused] == 95)
    }

    @Test func aSpentBudgetServesStaleDataOrNamesTheNextCall() async throws {
        let gateway = FakeFetcher(spiders)
        let scene = try GatewayScene(gateway, callsPerDay: 2)
        _ = try await scene.search()
        scene.time.advance(by: .seconds(3_600))
        _ = try await scene.search("spi")
        let error = CatalogError.upstream(.budgetSpent(callsPerDay: 2, retryAfter: .seconds(23 * 3_600 + 60)))
        await #expect(throws: error) { try await scene.search("other") }
        scene.time.advance(by: .seconds(23 * 3_600))
        #expect(try await scene.search().provenance.freshness.isStale, "old enough to be asked for, and nothing left")
        #expect(gateway.requests.count == 2)
        scene.time.advance(by: .seconds(60))
        #expect(try await scene.search().provenance.freshness == Freshness(source: .gateway))
        #expect(gateway.requests.count == 3)
    }

    @Test func eachRetryCounts() async throws {
        let gateway = FakeFetcher { _ in HTTPResponse(status: 503) }
        let scene = try GatewayScene(gateway, callsPerDay: 2)
        let page = Task { try await scene.search() }
        for delay in [105, 205] as [Int] {
            #expect(await scene.time.nextSleep() == .milliseconds(delay))
            scene.time.advance(by: .milliseconds(delay))
        }
        let error = await #expect(throws: CatalogError.self) { try await page.value }
        guard case .upstream(.budgetSpent)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(gateway.requests.count == 2)
    }

    /// The gateway asks for more time than the caller has: it is told so at once.
    @Test func aCallThatHasNoTimeForARetryFails() async throws {
        let scene = try GatewayScene(FakeFetcher { _ in HTTPResponse(status: 503, headers: ["Retry-After": "2"]) })
        await CallDeadline.$current.withValue(.now() + .seconds(1)) {
            await #expect(throws: CatalogError.upstream(.unavailable(status: 503, retryAfter: .seconds(2)))) {
                try await scene.search()
            }
        }
    }
}

/// Gives the spiders with a validator, and 304 to who has it.
private struct TaggingGateway: HTTPFetcher {
    let tag: String
    let onRequest: @Sendable (String?) -> Void

    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
        let match = request.headers["If-None-Match"]
        onRequest(match)
        var response = match == tag ? HTTPResponse(status: 304) : .spiders
        response.headers.fields.append(.init(name: "ETag", value: tag))
        return response
    }
}
