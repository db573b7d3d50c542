import Catalog
import FoundationEssentials
import MarvelDomain
import RPCCore
import Synchronization
import Testing
import WireMessages

@testable import Upstream

@Suite final class GatewayPicturesTests: Sendable {
    private var character: MarvelCharacter { character(6) }
    private let gif = HTTPResponse(status: 200, headers: ["ETag": "\"7\""], body: Array("GIF89a...".utf8))

    /// Keeps pictures in memory.
    private final class MemoryPictures: CachedPictures {
        let kept = Mutex<[String: CachedPicture]>([:])

        func picture(at url: String) async -> CachedPicture? { kept.withLock { $0[url] } }
        func keep(_ picture: CachedPicture, at url: String) { kept.withLock { $0[url] = picture } }
        func confirmPicture(at url: String, _ moment: Moment) { kept.withLock { $0[url]?.fetchedAt = moment } }
        func forgetPicture(at url: String) { kept.withLock { $0[url] = nil } }
    }

    private let failures = Mutex<[String]>([])

    private func character(_ id: Int64, on host: String = "gateway.test") -> MarvelCharacter {
        let place = Thumbnail(path: "http://\(host)/\(id)", fileExtension: "gif")
        return MarvelCharacter(id: id, name: "C\(id)", thumbnail: place)
    }

    private func pictures(
        _ transport: any HTTPFetcher,
        _ time: ManualTime,
        _ store: MemoryPictures = MemoryPictures(),
        _ counts: UpstreamCounts = UpstreamCounts()
    ) throws -> GatewayPictures {
        var limits = UpstreamLimits()
        limits.retry.maximumAttempts = 1
        return GatewayPictures(
            client: PictureClient(
                hosts: PictureHosts(
                    of: try GatewayURL("http://gateway.test"),
                    further: [try #require(PictureHost("other.test"))]
                ),
                transport: transport
            ),
            limits: limits,
            store: store,
            clock: time.clock,
            counts: counts
        ) { [self] host, failure in
            failures.withLock { $0.append("\(host): \(failure)") }
        }
    }

    @Test func aPictureIsFetchedOnceADayAndOncePerVariant() async throws {
        let (time, gif) = (ManualTime(), gif)
        let gateway = FakeFetcher { _ in gif }
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
            FakeFetcher { request in
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

    @Test func aMissingItemIsRequestedAgainAfterMinutes() async throws {
        let time = ManualTime()
        let gateway = FakeFetcher { _ in HTTPResponse(status: 404) }
        let pictures = try pictures(gateway, time)
        for _ in 0..<3 {
            await #expect(throws: PictureError.none) { try await pictures.picture(of: character, .full) }
        }
        #expect(gateway.requests.count == 1)
        time.advance(by: .seconds(600))
        await #expect(throws: PictureError.none) { try await pictures.picture(of: character, .full) }
        #expect(gateway.requests.count == 2)
    }

    private static let broken: [(HTTPResponse, PictureError)] = [
        (HTTPResponse(status: 200, body: Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)), notAPicture),
        (HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8)), notAPicture),
        (HTTPResponse(status: 200), .unusable("it is empty")),
        (HTTPResponse(status: 302, headers: ["Location": "/"]), .unusable("its host answered with HTTP status 302")),
    ]
    private static let notAPicture = PictureError.unusable("it is not a PNG, JPEG or GIF picture")

    /// It is asked for once a day, and the others of its host are fetched however often it was wanted.
    @Test(arguments: broken.indices)
    func oneBrokenPictureKeepsNoOtherFromAnyone(_ index: Int) async throws {
        let (time, gif, (answer, error)) = (ManualTime(), gif, Self.broken[index])
        let gateway = FakeFetcher { $0.path == "/1.gif" ? answer : gif }
        let pictures = try pictures(gateway, time)
        for _ in 0..<20 {
            await #expect(throws: error) { try await pictures.picture(of: character(1), .full) }
        }
        #expect(gateway.requests.count == 1)
        for id in 2...21 as ClosedRange<Int64> {
            _ = try await pictures.picture(of: character(id), .full)
        }
        time.advance(by: .seconds(86_400))
        await #expect(throws: error) { try await pictures.picture(of: character(1), .full) }
        #expect(gateway.requests.count == 22)
        #expect(failures.withLock { $0 }.isEmpty, "its host is well")
    }

    /// Many broken pictures are no reason to leave their host alone, and neither is one that its host fails on.
    @Test(arguments: [200, 302, 500])
    func aHostThatAnswersIsAsked(_ status: Int) async throws {
        let gif = gif
        let gateway = FakeFetcher { $0.path == "/99.gif" ? gif : HTTPResponse(status: status) }
        let pictures = try pictures(gateway, ManualTime())
        for id in 1...20 as ClosedRange<Int64> {
            await #expect(throws: PictureError.self) { try await pictures.picture(of: character(id), .full) }
        }
        _ = try await pictures.picture(of: character(99), .full)
        #expect(gateway.requests.count == 21)
    }

    @Test func aDeadHostKeepsNoOtherFromBeingAsked() async throws {
        let gif = gif
        let gateway = FakeFetcher { url throws(SourceError) in
            guard url.host != "other.test" else { throw .unreachable("its host name cannot be resolved") }
            return gif
        }
        let pictures = try pictures(gateway, ManualTime())
        for id in 1...20 as ClosedRange<Int64> {
            let error = await #expect(throws: PictureError.self) {
                try await pictures.picture(of: character(id, on: "other.test"), .full)
            }
            #expect("\(String(describing: error))".contains("picture host") || id < 6)
            _ = try await pictures.picture(of: character(id), .full)
        }
        let told = "other.test: no connection to the picture host: its host name cannot be resolved"
        #expect(failures.withLock { $0 } == Array(repeating: told, count: 5))
    }

    /// A picture that was good once outlives a host that fails, or sends something else in its place. One that its host does
    /// not know any more is gone.
    @Test(arguments: broken.map(\.0) + [500, 429, 404].map { HTTPResponse(status: $0) })
    func anOldPictureIsBetterThanNone(_ answer: HTTPResponse) async throws {
        let (time, gif) = (ManualTime(), gif)
        let isBroken = Atomic(false)
        let (store, counts) = (MemoryPictures(), UpstreamCounts())
        let pictures = try pictures(
            FakeFetcher { _ in isBroken.load(ordering: .relaxed) ? answer : gif },
            time,
            store,
            counts
        )
        _ = try await pictures.picture(of: character, .full)
        isBroken.store(true, ordering: .relaxed)
        let age = Duration.seconds(100 * 86_400)
        time.advance(by: age)
        for count in 1...2 {
            if answer.status == 404 {
                await #expect(throws: PictureError.none) { try await pictures.picture(of: character, .full) }
            } else {
                let found = try await pictures.picture(of: character, .full)
                #expect(found.freshness == Freshness(source: .cache, age: age, isStale: true))
                #expect(counts[.stale] == count)
            }
        }
        #expect(store.kept.withLock(\.isEmpty) == (answer.status == 404))
        await #expect(throws: PictureError.self) { try await pictures.picture(of: character, .detail) }
    }

    @Test func manyReadersOfOnePictureMakeOneRequest() async throws {
        let (gateway, counts) = (SteppedGateway(), UpstreamCounts())
        let pictures = try pictures(gateway, ManualTime(), MemoryPictures(), counts)
        let callers = (0..<100).map { _ in Task { try await pictures.picture(of: character, .full).picture.bytes } }
        while counts.waiting < 100 { await Task.yield() }
        await gateway.next()
        gateway.answer(.success(gif))
        for caller in callers { #expect(try await caller.value == gif.body) }
        #expect(gateway.requests.count == 1)
    }

    @Test func picturesWithoutAServerAreDrawnForEveryCatalog() async throws {
        let place = Thumbnail(path: "emblem/5", fileExtension: "png")
        let drawn = MarvelCharacter(id: 5, name: "Someone", thumbnail: place)
        let emblem = Picture(bytes: Emblem(id: 5, name: "Someone").png(.standardLarge), mediaType: .png)
        let fake = FakeFetcher([])
        for source in [DrawnPictures(), try pictures(fake, ManualTime())] as [any PictureSource] {
            #expect(try await source.picture(of: drawn, .standardLarge).picture == emblem)
            let without = MarvelCharacter(id: 7, name: "Nobody")
            await #expect(throws: PictureError.none) { try await source.picture(of: without, .full) }
        }
        #expect(fake.requests.isEmpty)
        await #expect(throws: PictureError.none) { try await DrawnPictures().picture(of: character(6), .detail) }
    }
}
