import FakeChannel
import MarvelDomain
import NIOCore
import Testing
import WireMessages

@testable import marvel

/// The output of commands with `--json`: the server's message, as Connect sends it.
struct PrintedJSONTests {
    private typealias Row = (command: String, method: String, messages: [any WireMessage])

    private static let list = ListFavoritesResponse(
        favorites: [savedPeter],
        revision: 1 << 60,
        capacity: 5,
        attribution: "by",
        place: place(1 << 60)
    )
    private static let change = FavoritesChange(
        revision: 10,
        saved: savedPeter,
        removed: savedHam,
        evicted: [savedPeter],
        cleared: [savedHam],
        isDeletion: true
    )

    private static func place(_ revision: Int64) -> String {
        FavoritesPlace(list: .default, history: HistoryID(7), revision: revision).text
    }

    private static let rows: [Row] = [
        ("search spider", "SearchCharacters", [lastPage]),
        (
            "show 1", "GetCharacter",
            [GetCharacterResponse(character: peter, isFavorite: true, attribution: "by", editRevision: 1 << 60)]
        ),
        ("suggest a", "SuggestNames", [SuggestNamesResponse(names: ["a", "b"], matches: [.prefix, .fuzzy])]),
        ("create --name x", "CreateCharacter", [CreateCharacterResponse(character: peter, editRevision: 3)]),
        ("edit 1 --name x", "UpdateCharacter", [UpdateCharacterResponse(character: peter, editRevision: 4)]),
        ("favorites", "ListFavorites", [list]),
        (
            "toggle 1", "ToggleFavorite",
            [ToggleFavoriteResponse(isFavorite: true, revision: 9, evicted: [savedHam], place: place(9))]
        ),
        (
            "watch --changes 1", "WatchFavorites",
            [
                WatchFavoritesResponse(
                    .snapshot(
                        .init(favorites: [savedHam], revision: 9, capacity: 5, reset: .historyChanged)
                    ),
                    attribution: "by",
                    place: place(9)
                ),
                WatchFavoritesResponse(.changed(change), place: place(10)),
            ]
        ),
    ]

    @Test(arguments: rows) func aMessageIsPrintedWhole(_ row: (String, String, [any WireMessage])) async throws {
        let run = await Run("\(row.0) --json", FakeServer([row.1: row.2.map { .message($0) }]))
        let expected = try row.2.map { String(buffer: try $0.json()) + "\n" }
        #expect(run.output == expected.joined(), "\(run.errors)")
    }

    /// The bytes of a picture are in the file.
    @Test func aPictureIsPrintedWithoutItsBytes() async throws {
        var picture = GetThumbnailResponse(
            data: ByteBuffer(string: "GIF89a"),
            mediaType: "image/gif",
            variant: "detail",
            isPlaceholder: true,
            attribution: "by"
        )
        let run = await Run("thumbnail 1 --output /dev/null --json", FakeServer(["GetThumbnail": [.message(picture)]]))
        picture.data = ByteBuffer()
        #expect(run.output == String(buffer: try picture.json()) + "\n")
    }

    @Test func aDeletionIsPrinted() async {
        let server = FakeServer([
            "ListFavorites": [.message(Self.list)],
            "DeleteList": [.message(DeleteListResponse(revision: 8, place: "here", existed: true))],
        ])
        let deleted = await Run("delete-list team -y --json", server)
        #expect(deleted.output == #"{"revision":"8","place":"here","existed":true}"# + "\n")
    }

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
