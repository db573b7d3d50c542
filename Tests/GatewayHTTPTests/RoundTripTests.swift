import MarvelDomain
import Testing

@testable import GatewayHTTP
@testable import Upstream

/// Round trips: the gateway answers the client's requests, and the client reads its answers.
@Suite(.timeLimit(.minutes(10))) struct RoundTripTests {
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
            let results = try await trip.results(of: .character(id: character.id))
            #expect(results.characters == [expected])
            #expect(results.characters.first?.thumbnail?.isPlaceholder == true)
            #expect(results.attribution == "Data provided by Marvel. © 2025 MARVEL")
        }
    }

    @Test func aNameInAnyScriptIsFoundByItselfAndByItsBeginning() async throws {
        try await RoundTrip.with(RoundTripTests.fixture) { trip in
            for (id, name) in RoundTripTests.names where id < 10 {
                #expect(try await trip.ids(("name", name)) == [id], "\(name)")
                let beginning = GatewayQuestion.page(prefix: String(name.prefix(4)), offset: 0, limit: 5)
                let found = try await trip.results(of: beginning)
                #expect(found.characters.map(\.name) == [name])
                #expect(found.characters.first.map { Array($0.name.unicodeScalars) } == Array(name.unicodeScalars))
            }
            #expect(try await trip.ids(("name", "TIE")) == [10, 11])
        }
    }
}
