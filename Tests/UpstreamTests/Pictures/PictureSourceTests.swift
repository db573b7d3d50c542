import Catalog
import Emblems
import FoundationEssentials
import MarvelAPI
import MarvelDomain
import Testing

@testable import Upstream

@Suite struct PictureSourceTests {
    private let drawn = MarvelCharacter(
        id: 5,
        name: "Someone",
        thumbnail: Thumbnail(path: "emblem/5", fileExtension: "png")
    )
    private let fetched = MarvelCharacter(
        id: 6,
        name: "Someone",
        thumbnail: Thumbnail(path: "http://gateway.test/6", fileExtension: "gif")
    )
    private let gif = Array("GIF89a...".utf8)

    private func gateway(_ fake: FakeGateway) throws -> GatewayPictures {
        let hosts = PictureHosts(of: try GatewayURL("http://gateway.test"))
        let clock = UpstreamClock(startingAt: Moment(sinceEpoch: .seconds(1_000_000_000)))
        return GatewayPictures(client: PictureClient(hosts: hosts, transport: fake), clock: clock)
    }

    @Test func whatIsOnNoServerIsDrawnWhateverTheCatalog() async throws {
        let emblem = Picture(bytes: Emblem(id: 5, name: "Someone").png(.standardLarge), mediaType: .png)
        let fake = FakeGateway([])
        #expect(try await DrawnPictures().picture(of: drawn, .standardLarge).picture == emblem)
        #expect(try await gateway(fake).picture(of: drawn, .standardLarge).picture == emblem)
        #expect(fake.requests.isEmpty)
    }

    @Test func whatIsOnAServerIsFetchedFromThere() async throws {
        let answer = HTTPResponse(status: 200, body: gif)
        let fake = FakeGateway { _ in answer }
        let picture = try await gateway(fake).picture(of: fetched, .detail)
        #expect(picture.picture == Picture(bytes: gif, mediaType: .gif))
        #expect(fake.requests.map(\.path) == ["/6/detail.gif"])
        await #expect(throws: PictureError.none) { _ = try await DrawnPictures().picture(of: fetched, .detail) }
    }

    @Test func aCharacterWithoutAThumbnailHasNoPicture() async throws {
        let character = MarvelCharacter(id: 7, name: "Nobody")
        let fake = FakeGateway([])
        await #expect(throws: PictureError.none) { _ = try await DrawnPictures().picture(of: character, .full) }
        await #expect(throws: PictureError.none) { _ = try await gateway(fake).picture(of: character, .full) }
    }
}
