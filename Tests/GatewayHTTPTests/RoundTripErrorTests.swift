import MarvelDomain
import Testing

@testable import GatewayHTTP
@testable import MarvelAPI

/// Every error that the gateway gives is understood by the client as what it is.
@Suite(.timeLimit(.minutes(1))) struct RoundTripErrorTests {
    private let notAllowed = "they are not allowed to use this service"

    // MARK: Who asks

    @Test(arguments: [
        ("", "You must provide a user key."), ("?apiKey=1234&ts=1&hash=x", "You must provide a user key."),
        ("?apikey=1234", "You must provide a hash."), ("?apikey=1234&hash=x", "You must provide a timestamp."),
    ])
    func whatIsMissingOfTheCredentialsIsMissing(query: String, message: String) async throws {
        try await RoundTrip.with { trip in
            let response = try await trip.answer(target: "/v1/public/characters" + query)
            let refusal = try trip.refusal(response)
            #expect(response.status == 409)
            #expect(refusal.body == #"{"code":"MissingParameter","message":"\#(message)"}"#)
            #expect(refusal.error == .credentials("it found no key, timestamp or hash in the request"))
        }
    }

    @Test(arguments: [
        ("9999", "abcd", "it does not know the public key"),
        ("1234", "x", "the private key does not belong to the public key"),
    ])
    func aKeyThatIsNotTheGatewaysIsKnownForWhatItIs(
        publicKey: String,
        privateKey: String,
        problem: String
    ) async throws {
        try await RoundTrip.with(keys: MarvelKeys(publicKey: publicKey, privateKey: privateKey)) { trip in
            let failure = try await trip.failure()
            #expect(failure == .credentials(problem))
        }
    }

    @Test(arguments: [
        (
            GatewayAccount.Status.unentitled, 401,
            #"{"code":"InvalidCredentials","message":"This user is not allowed to use that service."}"#
        ),
        (.forbidden, 403, #"{"code":"NotAuthorized","message":"You are not authorized to access that resource."}"#),
    ])
    func anAccountThatMayNotIsNotAllowed(accountStatus: GatewayAccount.Status, status: Int, body: String) async throws {
        var fixture = GatewayFixture()
        fixture.accountStatus = accountStatus
        try await RoundTrip.with(fixture) { trip in
            #expect(try await trip.failure() == .credentials(notAllowed))
            let response = try await trip.answer([])
            #expect(response.status == status)
            #expect(String(decoding: response.body, as: UTF8.self) == body)
        }
    }

    @Test(arguments: ["Referer", "Origin"])
    func aPageIsKnownByWhereItComesFrom(header: String) async throws {
        var fixture = GatewayFixture()
        fixture.referers = [try #require(RefererPattern("*.example"))]
        try await RoundTrip.with(fixture) { trip in
            func asking(from page: String) async throws -> HTTPResponse {
                let page = HTTPHeaders.Field(name: header, value: page)
                var headers = HTTPHeaders()
                headers.fields.append(page)
                return try await trip.answer(target: "/v1/public/characters?apikey=1234", headers: headers)
            }
            #expect(try trip.reading(try await asking(from: "https://games.example/x")).receivedCount == 3)
            let refusal = try trip.refusal(try await asking(from: "https://other.test/x"))
            #expect(refusal.body == #"{"code":"InvalidCredentials","message":"The passed referer is invalid."}"#)
            #expect(refusal.error == .credentials(notAllowed))
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

    // MARK: What is asked

    @Test(arguments: [
        ("limit", "101", "You may not request more than 100 items."),
        ("limit", "0", "You must pass an integer limit greater than 0."),
        ("limit", "test", "You must pass an integer limit greater than 0."),
        ("name", " ", "name cannot be blank if it is set"),
        ("nameStartsWith", "0", "nameStartsWith cannot be blank if it is set"),
        ("foo", "1", "We don't recognize the parameter foo"),
        ("스파이더", "1", "We don't recognize the parameter 스파이더"),
        ("orderBy", "typ", "typ is not a valid ordering parameter."),
        ("comics", "1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 issue ids."),
        ("series", "1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 series ids."),
        ("events", "1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 event ids."),
        ("stories", "1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 story ids."),
        ("comics", "x", "You must pass at least one valid issue id if you set the issue filter."),
        ("series", "x", "You must pass at least one valid series if you set the series filter."),
        ("events", "x", "You must pass at least one valid event id if you set the event filter."),
        ("stories", "x", "You must pass at least one valid story id if you set the story filter."),
        ("modifiedSince", "x", "You must pass a valid date for modifiedSince"),
    ])
    func aParameterThatIsNotTakenIsRejectedWithItsReason(name: String, value: String, reason: String) async throws {
        try await RoundTrip.with { trip in
            let response = try await trip.answer([(PercentEncoding.encoded(name), value)])
            #expect(response.status == 409)
            #expect(try trip.refusal(response).error == .rejected(reason))
        }
    }

    @Test func aCharacterThatIsNotThereIsNotFound() async throws {
        try await RoundTrip.with { trip in
            await #expect(throws: SourceError.notFound) { _ = try await trip.client.character(id: 99) }
        }
    }

    @Test func aHostWithoutTheAPIIsNotTheGateway() async throws {
        try await RoundTrip.with(path: "/elsewhere") { trip in
            let failure = try await trip.failure()
            #expect(failure == .unavailable(status: 404, retryAfter: nil))
            await #expect(throws: SourceError.unavailable(status: 404, retryAfter: nil)) {
                _ = try await trip.client.character(id: 1)
            }
        }
    }

    // MARK: What goes wrong

    @Test(arguments: FaultInjection.defaultErrorStatuses)
    func aGatewayThatFailsIsUnavailable(status: Int) async throws {
        var fixture = GatewayFixture()
        fixture.settings.faultInjection.errorShare = try #require(Ratio("1"))
        fixture.settings.faultInjection.errorStatuses = [status]
        try await RoundTrip.with(fixture) { trip in
            let failure = try await trip.failure()
            #expect(failure == .unavailable(status: status, retryAfter: nil))
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

    @Test func wrongJSONOfAnyKindIsNoAnswer() async throws {
        var fixture = GatewayFixture()
        fixture.settings.faultInjection.wrongJSONShare = try #require(Ratio("1"))
        try await RoundTrip.with(fixture) { trip in
            // The kinds follow from the seed: the third one comes long before the last of these requests.
            for _ in 1...30 {
                let failure = try await trip.failure()
                #expect(failure == .invalidReply("it is not a JSON object, or not of the contract's shape"))
            }
        }
    }

    @Test func anAnswerThatIsHeldBackIsNotWaitedForForever() async throws {
        var fixture = GatewayFixture()
        fixture.settings.faultInjection.latency = try #require(LatencyRange("1h"))
        try await RoundTrip.with(fixture, limits: HTTPResponseLimits(totalTimeout: .milliseconds(200))) { trip in
            let failure = try await trip.failure()
            #expect(failure == .timedOut)
        }
    }
}
