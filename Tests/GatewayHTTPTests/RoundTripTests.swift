import MarvelAPI
import MarvelDomain
import Testing
import Upstream

@testable import GatewayHTTP

/// Round trips: the gateway answers the client's requests, and the client reads its answers.
@Suite(.timeLimit(.minutes(1))) struct RoundTripTests {
    private static let names: [Int64: String] = [
        1: "스파이더맨 (피터 파커)", 2: "الرجل العنكبوت", 3: "אִישׁ הָעַכָּבִישׁ", 4: "स्पाइडर-मैन", 5: "สไปเดอร์แมน",
        6: "蜘蛛侠 𠮷", 7: "🕷️👨‍👩‍👧", 8: "Ñandú & Co. 100% + \"x\" #1/?=;'<b>", 9: " Leading", 10: "Tie", 11: "tie",
    ]

    private static var fixture: GatewayFixture {
        var fixture = GatewayFixture()
        fixture.characters = names.map { id, name in
            MarvelCharacter(id: id, name: name, modified: Timestamp(seconds: 1_400_000_000 + id / 4))
        }
        return fixture
    }

    @Test func everyFieldOfACharacterArrives() async throws {
        let character = MarvelCharacter(
            id: 1_900_001,
            name: " Sample (Éxample) \"№1\" ",
            description: "One & two, 3 < 4; it’s “so”.",
            modified: Timestamp(seconds: 1_398_795_497),
            thumbnail: Thumbnail(
                path: "http://i.annihil.us/u/prod/marvel/i/mg/b/40/image_not_available",
                fileExtension: "jpg"
            ),
            comicCount: 4_000,
            seriesCount: 2,
            storyCount: 6_000,
            eventCount: .max,
            urls: [
                CharacterURL(type: "detail", url: "http://marvel.com/1"),
                CharacterURL(type: "wiki", url: "http://marvel.com/?a=b"),
                CharacterURL(type: "comiclink", url: "http://marvel.com/a?b=c#d"),
            ]
        )
        var fixture = GatewayFixture()
        fixture.characters = [character]
        try await RoundTrip.with(fixture) { trip in
            var expected = character
            expected.thumbnail?.path = "https://i.annihil.us/u/prod/marvel/i/mg/b/40/image_not_available"
            let results = try await trip.client.character(id: character.id)
            #expect(results.characters == [expected])
            #expect(results.characters.first?.thumbnail?.isPlaceholder == true)
            #expect(results.attribution == "Data provided by Marvel. © 2025 MARVEL")
        }
    }

    @Test func aNameInAnyScriptIsFoundByItselfAndByItsBeginning() async throws {
        try await RoundTrip.with(RoundTripTests.fixture) { trip in
            for (id, name) in RoundTripTests.names where id < 10 {
                #expect(try await trip.ids(("name", name)) == [id], "\(name)")
                let found = try await trip.client.characters(
                    nameStartsWith: String(name.prefix(4)),
                    offset: 0,
                    limit: 5
                )
                #expect(found.characters.map(\.name) == [name])
                #expect(found.characters.first.map { Array($0.name.unicodeScalars) } == Array(name.unicodeScalars))
            }
            #expect(try await trip.ids(("name", "TIE")) == [10, 11])
        }
    }

    @Test func everyOrderAndEveryPageArrives() async throws {
        try await RoundTrip.with(RoundTripTests.fixture) { trip in
            let byName = try await trip.ids(("orderBy", "name"))
            #expect(byName.count == 11)
            #expect(byName.first == 9)
            #expect(try await trip.ids() == byName)
            // Where names are alike, the order of the rest decides: it is not turned round.
            let backward = try await trip.ids(("orderBy", "-name"))
            #expect(backward.filter { $0 != 11 } == byName.filter { $0 != 11 }.reversed())
            let byDate = byName.filter { $0 < 4 } + byName.filter { (4..<8).contains($0) } + byName.filter { $0 > 7 }
            #expect(try await trip.ids(("orderBy", "modified")) == byDate)
            #expect(try await trip.ids(("orderBy", "modified,-name")).sorted() == Array(1...11))
            #expect(try await trip.ids(("orderBy", "-modified")).prefix(4).sorted() == [8, 9, 10, 11])
            var paged: [Int64] = []
            for offset in stride(from: 0, through: 12, by: 4) {
                let query = [("orderBy", "name"), ("offset", "\(offset)"), ("limit", "4")]
                let page = try trip.reading(try await trip.answer(query), offset: offset, limit: 4)
                #expect(page.total == 11)
                #expect(page.receivedCount == max(0, min(4, 11 - offset)))
                paged += page.characters.map(\.id)
            }
            #expect(paged == byName)
        }
    }

    @Test(arguments: [(1_400_000_000, 11), (1_400_000_001, 8), (1_400_000_002, 4), (1_400_000_003, 0)])
    func whatChangedSinceAMomentIsTold(since: Int64, count: Int) async throws {
        try await RoundTrip.with(RoundTripTests.fixture) { trip in
            let since = MarvelDate.text(Timestamp(seconds: since))
            let page = try trip.reading(try await trip.answer([("modifiedSince", since)]))
            #expect(page.total == count)
        }
    }

    /// A catalog knows in how many a character is, and not in which.
    @Test(arguments: Relation.allCases)
    func aFilterByWhatIsNotKnownFindsNothing(relation: Relation) async throws {
        try await RoundTrip.with(RoundTripTests.fixture) { trip in
            let ids = try await trip.ids((relation.rawValue, "1,2"), (relation.rawValue, "3"))
            #expect(ids.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func whatTheClientHasIsNotSentAgain(quotesTags: Bool) async throws {
        var fixture = RoundTripTests.fixture
        fixture.settings.quotesEntityTags = quotesTags
        try await RoundTrip.with(fixture) { trip in
            let page = try await trip.client.characters(nameStartsWith: "ti", offset: 0, limit: 20)
            let one = try await trip.client.character(id: 10)
            #expect(page.etag?.count == (quotesTags ? 42 : 40))
            #expect(page.etag != one.etag)
            let questions: [GatewayQuestion] = [
                .page(prefix: "ti", offset: 0, limit: 20), .character(id: 10), .character(id: 11),
            ]
            #expect(try await trip.client.results(of: questions[0], ifNoneMatch: page.etag) == nil)
            #expect(try await trip.client.results(of: questions[1], ifNoneMatch: one.etag) == nil)
            let other = try await trip.client.results(of: questions[2], ifNoneMatch: one.etag)
            #expect(other?.characters.map(\.id) == [11])
        }
    }

    @Test func anAnswerTravelsInGzipAndTellsItsTime() async throws {
        try await RoundTrip.with(RoundTripTests.fixture) { trip in
            let response = try await trip.answer([])
            #expect(response.headers["Content-Encoding"] == "gzip")
            #expect(response.headers["Content-Type"] == "application/json; charset=utf-8")
            #expect(response.headers["Access-Control-Allow-Origin"] == "*")
            // `Retry-After` with a date is read against it.
            #expect(response.headers["Date"]?.hasSuffix(" GMT") == true)
            #expect(try trip.reading(response).receivedCount == 11)
        }
    }

    /// The larger ones take a program that is not optimized too long to draw. `EmblemTests` has all of them.
    private static let smallVariants = ImageVariant.allCases.filter { $0.width * $0.height < 20_000 }

    @Test func aVariantOfAPictureIsServedInItsSize() async throws {
        #expect(RoundTripTests.smallVariants.count == 6)
        try await RoundTrip.with { trip in
            let thumbnail = try #require(try await trip.client.character(id: 3).characters.first?.thumbnail)
            for variant in RoundTripTests.smallVariants {
                let address = try trip.pictures.address(of: thumbnail, variant)
                let picture = try #require(try await trip.pictures.picture(at: address, ifNoneMatch: nil)).picture
                // The header of a PNG file: 4 bytes each for width and height, from the 17th on.
                let size = picture.bytes.dropFirst(16).prefix(8).map(Int.init)
                #expect(size[2] << 8 + size[3] == variant.width, "\(variant)")
                #expect(size[6] << 8 + size[7] == variant.height, "\(variant)")
                #expect(picture.mediaType == .png)
            }
        }
    }

    /// Words that client libraries list by mistake.
    @Test(arguments: ["portrait_large", "landscape_fantastic"])
    func aVariantThatNeverWasIsNotFound(word: String) async throws {
        try await RoundTrip.with { trip in
            let response = try await trip.answer(target: "/emblem/3/\(word).png")
            #expect(response.status == 404)
        }
    }
}
