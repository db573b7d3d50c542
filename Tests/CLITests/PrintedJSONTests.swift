import MarvelDomain
import NIOCore
import Testing
import WireMessages

@testable import marvel

/// The output of commands with `--json`: the server's message, as Connect sends it.
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

    /// Runs a command whose call is answered with messages.
    private func expect(_ command: String, prints messages: any WireMessage..., of method: String) async throws {
        let run = await Run("\(command) --json", FakeServer([method: messages.map { .message($0) }]))
        let expected = try messages.map { String(buffer: try $0.json()) + "\n" }
        #expect(run.output == expected.joined(), "\(run.errors)")
    }

    @Test func aPageAndACharacterPrintAsTheirMessages() async throws {
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

    @Test func editsAndPicturesPrintAsTheirMessages() async throws {
        let created = CreateCharacterResponse(character: peter, editRevision: 3, attribution: "by")
        try await expect("create --name x", prints: created, of: "CreateCharacter")
        let edited = UpdateCharacterResponse(character: peter, editRevision: 4, attribution: "by")
        try await expect("edit 1 --name x", prints: edited, of: "UpdateCharacter")
        var picture = GetThumbnailResponse(
            data: ByteBuffer(string: "GIF89a"),
            mediaType: "image/gif",
            variant: "detail",
            isPlaceholder: true,
            freshness: Freshness(source: .cache),
            attribution: "by"
        )
        let run = await Run("thumbnail 1 --output /dev/null --json", FakeServer(["GetThumbnail": [.message(picture)]]))
        picture.data = ByteBuffer()
        #expect(run.output == String(buffer: try picture.json()) + "\n")
    }

    /// What a script reads: numbers of 64 bits are texts, and fields that have their default values are left out.
    @Test func theOutputIsProto3JSON() async {
        let page = FakeServer(["SearchCharacters": [.message(lastPage)]])
        let run = await Run("--json search spider --color always", page)
        #expect(
            run.output == """
                {"characters":[{"id":"1017100","name":"스파이더맨 🕷️","comicCount":3}],"total":3,\
                "attribution":"Data provided by Marvel.","freshness":{"source":"SOURCE_BUILT_IN"}}

                """
        )
    }

    @Test func favoritesPrintAsTheirMessages() async throws {
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
        let deletion = FakeServer([
            "ListFavorites": [.message(list)],
            "DeleteList": [.message(DeleteListResponse(revision: 8, place: "here", existed: true))],
        ])
        let deleted = await Run("delete-list team -y --json", deletion)
        #expect(deleted.output == #"{"revision":"8","place":"here","existed":true}"# + "\n")
    }

    @Test func eventsPrintAsTheirMessages() async throws {
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

    @Test func theHealthPrintsAsItsMessage() async throws {
        let server = FakeServer([
            "Check": [.message(HealthCheckResponse(status: .notServing))],
            "GetCatalogInfo": [.message(GetCatalogInfoResponse(kind: .file, matches: [.prefix], history: "0a"))],
        ])
        let run = await Run("health --verbose --json", server)
        #expect(
            run.output == """
                {"status":"NOT_SERVING"}
                {"kind":"KIND_FILE","matches":["MATCH_PREFIX"],"history":"0a"}

                """
        )
    }
}
