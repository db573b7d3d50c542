import MarvelDomain
import Testing

@testable import GatewayHTTP
@testable import Upstream

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

    // MARK: What goes wrong

    @Test(arguments: [
        ("9999", "abcd", "the public key is unknown"),
        ("1234", "x", "the private key does not belong to the public key"),
    ])
    func aForeignKeyIsRecognized(
        publicKey: String,
        privateKey: String,
        problem: String
    ) async throws {
        try await RoundTrip.with(keys: MarvelKeys(publicKey: publicKey, privateKey: privateKey)) { trip in
            let failure = try await trip.failure()
            #expect(failure == .credentials(problem))
        }
    }

    @Test(arguments: [(false, nil), (true, Duration.seconds(60))])
    func aQuotaThatIsUsedUpIsOne(sendsRetryAfter: Bool, retryAfter: Duration?) async throws {
        var fixture = GatewayFixture()
        fixture.settings.quota = RollingQuota.Limit(calls: 2, window: .seconds(60))
        fixture.settings.sendsRetryAfter = sendsRetryAfter
        try await RoundTrip.with(fixture) { trip in
            for _ in 1...2 { _ = try await trip.client.character(id: 1) }
            #expect(try await trip.failure() == .quota(retryAfter: retryAfter))
        }
    }

    @Test func anAnswerThatIsCutIsInterrupted() async throws {
        var fixture = GatewayFixture()
        fixture.settings.faultInjection.cutShare = try #require(Ratio("1"))
        try await RoundTrip.with(fixture) { trip in
            guard case .interrupted = try await trip.failure() else {
                Issue.record("half an answer was taken for another failure")
                return
            }
        }
    }

    @Test func wrongJSONOfAnyKindIsNotAnAnswer() async throws {
        var fixture = GatewayFixture()
        fixture.settings.faultInjection.wrongJSONShare = try #require(Ratio("1"))
        try await RoundTrip.with(fixture) { trip in
            // The kinds follow from the seed: the third one comes long before the last of these requests.
            for _ in 1...30 {
                let failure = try await trip.failure()
                #expect(failure == .invalidReply("it is not a JSON object of the expected form"))
            }
        }
    }
}
