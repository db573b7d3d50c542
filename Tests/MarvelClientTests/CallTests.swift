import FakeChannel
import MarvelDomain
import NIOCore
import Testing
import WireMessages

@testable import MarvelClient

private let hulk = MarvelCharacter(id: 1_009_351, name: "Hulk")

struct CallTests {
    @Test func anAnswerWithoutACharacterIsTheServersFault() async {
        let client = MarvelClient(channel: FakeChannel(GetCharacterResponse(character: nil)))
        let error = await #expect(throws: RPCError.self) { _ = try await client.character(id: 1) }
        #expect(error?.reason == .responseInvalid)
    }

    @Test(
        arguments: [
            (.builtIn, .builtIn, 7), (.synthetic, .synthetic, 7), (.file, .file, 7), (.gateway, .gateway, nil),
            (GetCatalogInfoResponse.Kind(rawValue: 99), .other(99), 7),
        ] as [(GetCatalogInfoResponse.Kind, CatalogInfo.Kind, Int?)]
    )
    func theCatalogIsDescribed(
        _ wireKind: GetCatalogInfoResponse.Kind,
        _ kind: CatalogInfo.Kind,
        _ count: Int?
    ) async throws {
        let channel = FakeChannel(
            GetCatalogInfoResponse(
                kind: wireKind,
                characterCount: 7,
                matches: [.prefix, .fuzzy, MatchValue(rawValue: 99)],
                attribution: "Marvel",
                loadedAt: Timestamp(seconds: 5),
                serverVersion: "1.2.3",
                history: "0123456789abcdef"
            )
        )
        let expected = CatalogInfo(
            kind: kind,
            characterCount: count,
            matches: [.prefix, .fuzzy],
            attribution: "Marvel",
            loadedAt: Timestamp(seconds: 5),
            serverVersion: "1.2.3",
            history: "0123456789abcdef"
        )
        #expect(try await MarvelClient(channel: channel).catalogInfo() == expected)
    }

    @Test func aDeletionHasARequestIDAndReturnsTheDeletedFavorites() async throws {
        let list = try #require(ListName("team"))
        let channel = FakeChannel(DeleteListResponse(revision: 7, place: "here", existed: true))
        let deletion = try await MarvelClient(channel: channel).deleteList(list)
        #expect(deletion == ListDeletion(revision: 7, existed: true, place: FavoritesPlace("here")))
        let request = try #require(try channel.requests(DeleteListRequest.self).first)
        #expect(request.list == "team")
        #expect(request.requestID.count == 36)
        let older = FakeChannel(DeleteListResponse(revision: 7))
        let id = try #require(RequestID("r-1"))
        #expect(try await MarvelClient(channel: older).deleteList(list, requestID: id).place == nil)
        #expect(try older.requests(DeleteListRequest.self) == [DeleteListRequest(list: "team", requestID: "r-1")])
    }

    @Test func listsComeAPageAtATime() async throws {
        let channel = FakeChannel(
            ListListsResponse(lists: [NamedList(name: "team", revision: 7, favoriteCount: 2)], nextPageToken: "more")
        )
        let page = try await MarvelClient(channel: channel).lists(prefix: "te", pageSize: 1, pageToken: "t")
        let team = ListInfo(name: try #require(ListName("team")), revision: 7, favoriteCount: 2)
        #expect(page == ListsPage(lists: [team], nextPageToken: "more"))
        let expected = ListListsRequest(prefix: "te", pageSize: 1, pageToken: "t")
        #expect(try channel.requests(ListListsRequest.self) == [expected])
    }

    @Test(arguments: ["", "a b"])
    func aListWithoutANameIsTheServersFault(_ name: String) async {
        let client = MarvelClient(channel: FakeChannel(ListListsResponse(lists: [NamedList(name: name)])))
        let error = await #expect(throws: RPCError.self) { _ = try await client.lists() }
        #expect(error?.reason == .responseInvalid)
    }

    @Test(
        arguments: [
            ([.wordPrefix, .fuzzy], [Match.wordPrefix, .fuzzy]),
            // An older server, a newer one with a match of its own, and one that is broken.
            ([], [nil, nil]), ([.prefix, MatchValue(rawValue: 99)], [.prefix, nil]), ([.prefix], [nil, nil]),
        ] as [([MatchValue], [Match?])]
    )
    func aSuggestionTellsHowItMatchesIfTheServerDoes(_ told: [MatchValue], _ matches: [Match?]) async throws {
        let channel = FakeChannel(SuggestNamesResponse(names: ["Hulk", "Hulkling"], matches: told))
        let suggestions = try await MarvelClient(channel: channel).suggestNames("hul")
        #expect(suggestions.suggestions.map(\.match) == matches)
        #expect(suggestions.names == ["Hulk", "Hulkling"])
    }

    @Test(arguments: [
        (DesiredFavorite.toggle, DesiredValue.toggle), (.saved, .saved), (.removed, .removed),
    ])
    func aToggleSendsTheDesiredState(_ desired: DesiredFavorite, _ wire: DesiredValue) async throws {
        let channel = FakeChannel(ToggleFavoriteResponse(isFavorite: true, revision: 1))
        let id = try #require(RequestID("mine"))
        _ = try await MarvelClient(channel: channel).toggleFavorite(hulk.id, desired: desired, requestID: id)
        let expected = ToggleFavoriteRequest(list: "default", characterID: hulk.id, requestID: "mine", desired: wire)
        #expect(try channel.requests(ToggleFavoriteRequest.self) == [expected])
    }

    @Test func everyToggleHasARequestIDOfItsOwn() async throws {
        let channel = FakeChannel(ToggleFavoriteResponse(isFavorite: true, revision: 1))
        let client = MarvelClient(channel: channel)
        for _ in 1...3 { _ = try await client.toggleFavorite(hulk.id) }
        let ids = try channel.requests(ToggleFavoriteRequest.self).map(\.requestID)
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { $0.count == 36 })
    }

    @Test(arguments: [
        (HealthCheckResponse.ServingStatus.unknown, HealthStatus.unknown), (.serving, .serving),
        (.notServing, .notServing),
        (.serviceUnknown, .serviceUnknown), (HealthCheckResponse.ServingStatus(rawValue: 9), .other(9)),
    ])
    func healthIsWhatTheServerSaysOfItself(
        _ wire: HealthCheckResponse.ServingStatus,
        _ status: HealthStatus
    ) async throws {
        let channel = FakeChannel(HealthCheckResponse(status: wire))
        let answer = try await MarvelClient(channel: channel).health(service: "marvel.v1.MarvelService")
        #expect(answer == status)
        #expect(channel.calls.map(\.method.description) == ["grpc.health.v1.Health/Check"])
        #expect(
            try channel.requests(HealthCheckRequest.self) == [HealthCheckRequest(service: "marvel.v1.MarvelService")]
        )
    }

    @Test func aSingleCallTimesOutAfterTenSecondsByDefault() async throws {
        let channel = FakeChannel(HealthCheckResponse(status: .serving))
        let client = MarvelClient(channel: channel)
        _ = try await client.health()
        _ = try await client.health(timeout: .milliseconds(250))
        _ = try await client.health(timeout: nil)
        #expect(channel.calls.map(\.timeout) == [.seconds(10), .milliseconds(250), nil])
    }
}
