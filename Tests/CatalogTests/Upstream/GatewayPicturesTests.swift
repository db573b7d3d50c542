import FoundationEssentials
import MarvelAPI
import MarvelDomain
import Synchronization
import Testing
import WireMessages

@testable import Catalog

@Suite struct GatewayPicturesTests {
    private let character = MarvelCharacter(
        id: 6,
        name: "Someone",
        thumbnail: Thumbnail(path: "http://gateway.test/6", fileExtension: "gif")
    )
    private let gif = HTTPResponse(status: 200, headers: ["ETag": "\"7\""], body: Array("GIF89a...".utf8))

    /// Keeps pictures in memory.
    private final class MemoryPictures: CachedPictures {
        let kept = Mutex<[String: CachedPicture]>([:])

        func picture(at url: String) async -> CachedPicture? { kept.withLock { $0[url] } }
        func keep(_ picture: CachedPicture, at url: String) { kept.withLock { $0[url] = picture } }
        func confirmPicture(at url: String, _ moment: Moment) { kept.withLock { $0[url]?.fetchedAt = moment } }
        func forgetPicture(at url: String) { kept.withLock { $0[url] = nil } }
    }

    private func pictures(
        _ transport: any HTTPTransport,
        _ time: ManualTime,
        _ store: MemoryPictures = MemoryPictures(),
        _ counts: UpstreamCounts = UpstreamCounts()
    ) throws -> GatewayPictures {
        var limits = UpstreamGate.Limits()
        limits.retry.maximumAttempts = 1
        return GatewayPictures(
            client: PictureClient(hosts: PictureHosts(of: try GatewayURL("http://gateway.test")), transport: transport),
            caller: UpstreamCaller(gate: UpstreamGate(limits: limits), clock: time.clock),
            store: store,
            clock: time.clock,
            counts: counts
        )
    }

    @Test func aPictureIsFetchedOnceADayAndOncePerVariant() async throws {
        let (time, gif) = (ManualTime(), gif)
        let gateway = FakeGateway { _ in gif }
        let pictures = try pictures(gateway, time)
        let first = try await pictures.picture(of: character, .standardLarge)
        #expect(first.freshness == Freshness(source: .gateway))
        time.advance(by: .seconds(60))
        let second = try await pictures.picture(of: character, .standardLarge)
        #expect(second == FoundPicture(first.picture, freshness: Freshness(source: .cache, age: .seconds(60))))
        _ = try await pictures.picture(of: character, .full)
        #expect(gateway.requests.map(\.path) == ["/6/standard_large.gif", "/6.gif"])
    }

    @Test func aStalePictureIsConfirmedByItsTag() async throws {
        let (time, gif) = (ManualTime(), gif)
        let store = MemoryPictures()
        let tags = Mutex<[String?]>([])
        let pictures = try pictures(
            Answering { request in
                let tag = request.headers["If-None-Match"]
                tags.withLock { $0.append(tag) }
                return tag == nil ? gif : HTTPResponse(status: 304)
            },
            time,
            store
        )
        let first = try await pictures.picture(of: character, .full)
        time.advance(by: .seconds(86_400))
        #expect(try await pictures.picture(of: character, .full) == first)
        #expect(tags.withLock { $0 } == [nil, "\"7\""])
        #expect(store.kept.withLock { $0.values.first?.fetchedAt } == time.now)
    }

    @Test(arguments: [500, 302, 429])
    func anOldPictureIsBetterThanNone(_ status: Int) async throws {
        let (time, gif) = (ManualTime(), gif)
        let fails = Atomic(false)
        let counts = UpstreamCounts()
        let pictures = try pictures(
            Answering { _ in fails.load(ordering: .relaxed) ? HTTPResponse(status: status) : gif },
            time,
            MemoryPictures(),
            counts
        )
        _ = try await pictures.picture(of: character, .full)
        fails.store(true, ordering: .relaxed)
        time.advance(by: .seconds(100 * 86_400))
        let found = try await pictures.picture(of: character, .full)
        #expect(found.freshness == Freshness(source: .cache, age: .seconds(100 * 86_400), isStale: true))
        #expect(counts[.stale] == 1)
        await #expect(throws: PictureError.self) { try await pictures.picture(of: character, .detail) }
    }

    @Test func whatIsMissingIsAskedAgainAfterMinutes() async throws {
        let time = ManualTime()
        let gateway = FakeGateway { _ in HTTPResponse(status: 404) }
        let pictures = try pictures(gateway, time)
        for _ in 0..<3 {
            await #expect(throws: PictureError.none) { try await pictures.picture(of: character, .full) }
        }
        #expect(gateway.requests.count == 1)
        time.advance(by: .seconds(600))
        await #expect(throws: PictureError.none) { try await pictures.picture(of: character, .full) }
        #expect(gateway.requests.count == 2)
    }

    @Test func aPictureThatIsGoneIsNotShownAnyMore() async throws {
        let (time, gif) = (ManualTime(), gif)
        let isGone = Atomic(false)
        let store = MemoryPictures()
        let pictures = try pictures(
            Answering { _ in isGone.load(ordering: .relaxed) ? HTTPResponse(status: 404) : gif },
            time,
            store
        )
        _ = try await pictures.picture(of: character, .full)
        isGone.store(true, ordering: .relaxed)
        time.advance(by: .seconds(86_400))
        await #expect(throws: PictureError.none) { try await pictures.picture(of: character, .full) }
        #expect(store.kept.withLock { $0.isEmpty })
    }

    @Test func manyWhoWantOnePictureMakeOneRequest() async throws {
        let gateway = SteppedGateway()
        let counts = UpstreamCounts()
        let pictures = try pictures(gateway, ManualTime(), MemoryPictures(), counts)
        let callers = (0..<100).map { _ in Task { try await pictures.picture(of: character, .full).picture.bytes } }
        while counts.waiting < 100 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(await gateway.next() == .began)
        gateway.answer(.success(gif))
        for caller in callers { #expect(try await caller.value == gif.body) }
        #expect(gateway.requests.count == 1)
    }

    @Test func aHostThatIsNotAllowedIsNeitherAskedNorKept() async throws {
        let gateway = SteppedGateway()
        let pictures = try pictures(gateway, ManualTime())
        let character = MarvelCharacter(
            id: 7,
            name: "Someone",
            thumbnail: Thumbnail(path: "http://inside.test/7", fileExtension: "gif")
        )
        await #expect(throws: PictureError.hostNotAllowed) { try await pictures.picture(of: character, .full) }
        #expect(gateway.requests.isEmpty)
    }
}

/// Answers by what the whole request is.
private struct Answering: HTTPTransport {
    let answer: @Sendable (HTTPRequest) -> HTTPResponse

    func get(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse { answer(request) }
}
