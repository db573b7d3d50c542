import MarvelDomain
import NIOCore
import Testing
import WireMessages

@testable import marvel

/// The output of commands with `--json`: the server's message in protobuf's JSON, with every field that it has.
struct PrintedJSONTests {
    private static let favorite = Favorite(
        character: MarvelCharacter(
            id: .max,
            name: "\u{7F}\"에이",
            description: "a",
            modified: Timestamp(seconds: -1, nanoseconds: 5_000),
            thumbnail: Thumbnail(path: "p", fileExtension: "png"),
            comicCount: 1,
            seriesCount: 2,
            storyCount: 3,
            eventCount: .max,
            urls: [CharacterURL(type: "wiki", url: "http://example.org/")]
        ),
        savedAt: Timestamp(seconds: 1_700_000_000)
    )
    private static let place = FavoritesPlace(list: .default, history: HistoryID(7), revision: 9).text

    /// Runs a command whose call is answered with messages, and reads each line that it prints.
    private func expect<Message: WireMessage & Equatable>(
        _ command: String,
        prints messages: Message...,
        of method: String
    ) async throws {
        let run = await Run("\(command) --json", FakeServer([method: messages.map { .message($0) }]))
        let lines = run.output.split(separator: "\n")
        let read = try lines.map { try Message(json: ByteBuffer(substring: $0), limit: .response) }
        #expect(read == messages, "\(run.output)\(run.errors)")
    }

    @Test func aPageAndACharacterAreTheirMessages() async throws {
        let page = SearchCharactersResponse(
            characters: [Self.favorite.character],
            total: 7,
            nextPageToken: "t",
            favoriteIDs: [1, .max],
            attribution: "by",
            freshness: Freshness(source: Freshness.Source(rawValue: 99), age: .milliseconds(1_500), isStale: true)
        )
        try await expect("search spider", prints: page, of: "SearchCharacters")
        let details = GetCharacterResponse(
            character: Self.favorite.character,
            isFavorite: true,
            attribution: "by",
            freshness: Freshness(source: .gateway, age: .nanoseconds(1)),
            editRevision: 1 << 60
        )
        try await expect("show 1", prints: details, of: "GetCharacter")
        let names = SuggestNamesResponse(names: ["a", "b"], attribution: "by", matches: [.prefix, .fuzzy])
        try await expect("suggest a", prints: names, of: "SuggestNames")
    }

    @Test func favoritesAreTheirMessages() async throws {
        let list = ListFavoritesResponse(
            favorites: [Self.favorite],
            revision: 1 << 60,
            capacity: 5,
            attribution: "by",
            place: Self.place
        )
        try await expect("favorites", prints: list, of: "ListFavorites")
        var old = list
        old.age = .milliseconds(2_500)
        try await expect("favorites", prints: old, of: "ListFavorites")
        let toggled = ToggleFavoriteResponse(
            isFavorite: true,
            revision: 9,
            evicted: [Self.favorite],
            place: Self.place
        )
        try await expect("toggle 1", prints: toggled, of: "ToggleFavorite")
    }

    @Test func eventsAreTheirMessages() async throws {
        let snapshot = WatchFavoritesResponse.Snapshot(
            favorites: [Self.favorite],
            revision: 9,
            capacity: 5,
            reset: .historyChanged
        )
        let place = FavoritesPlace(list: .default, history: HistoryID(7), revision: 10).text
        let change = FavoritesChange(
            revision: 10,
            saved: Self.favorite,
            removed: Self.favorite,
            evicted: [Self.favorite],
            updated: [Self.favorite],
            cleared: [Self.favorite],
            isDeletion: true
        )
        try await expect(
            "watch --changes 1",
            prints: WatchFavoritesResponse(.snapshot(snapshot), attribution: "by", place: Self.place),
            WatchFavoritesResponse(.changed(change), place: place),
            of: "WatchFavorites"
        )
    }

    @Test func aStateIsItsMessage() async throws {
        try await expect("health", prints: HealthCheckResponse(status: .serving), of: "Check")
    }
}
