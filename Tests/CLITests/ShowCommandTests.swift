import FakeChannel
import MarvelClient
import MarvelDomain
import Testing
import WireMessages

@testable import marvel

struct ShowCommandTests {
    private let server = FakeServer([
        "GetCharacter": [
            .message(
                GetCharacterResponse(
                    character: peter,
                    isFavorite: true,
                    attribution: attribution,
                    freshness: Freshness(source: .gateway, age: .milliseconds(1_500))
                )
            )
        ]
    ])

    @Test func showsTheCharacterAndItsFacts() async throws {
        let run = await Run("show 1009610 --list mine --color never", server, output: MemoryOutput(columns: 50))
        #expect(
            run.output == """
                ★ Spider-Man (Peter Parker) (favorite)

                Bitten by a spider, he climbs walls and makes
                jokes while New York throws villains at him.

                id        1009610
                comics    4238
                series    1100
                stories   6000
                events    37
                modified  2014-05-13 16:53:20 UTC
                detail    http://marvel.example/1009610

                Data provided by Marvel.

                """
        )
        let request = try server.request(GetCharacterRequest.self, of: "GetCharacter")
        #expect(request == GetCharacterRequest(id: 1_009_610, list: "mine"))
        #expect(server.calls.map(\.timeout) == [.seconds(10)])
    }

    @Test func aPipeGetsANameAndAValueInEachRow() async {
        let run = await Run("show 1009610", server)
        #expect(
            run.output == """
                id\t1009610
                name\tSpider-Man (Peter Parker)
                description\tBitten by a spider, he climbs walls and makes jokes while New York throws villains at him.
                favorite\tyes
                comics\t4238
                series\t1100
                stories\t6000
                events\t37
                modified\t2014-05-13 16:53:20 UTC
                detail\thttp://marvel.example/1009610

                """
        )
        #expect(run.errors == "Data provided by Marvel.\n")
    }

    /// The source has no counts of a character whose counts are all 0.
    @Test func countsThatAreAllZeroAreUnknown() async {
        func run(_ character: MarvelCharacter) async -> String {
            let response = GetCharacterResponse(character: character)
            return await Run("show 5", FakeServer(["GetCharacter": [.message(response)]])).output
        }
        let unknown = await run(MarvelCharacter(id: 5, name: "Spider-dok"))
        #expect(unknown.hasSuffix("comics\tunknown\nseries\tunknown\nstories\tunknown\nevents\tunknown\n"))
        let known = await run(MarvelCharacter(id: 5, name: "Spider-Boy", eventCount: 1))
        #expect(known.hasSuffix("comics\t0\nseries\t0\nstories\t0\nevents\t1\n"))
    }

    private static func found(_ names: String..., similar: [String] = []) -> FakeServer {
        func page(_ names: [String]) -> FakeServer.Answer {
            let characters = names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) }
            return .message(SearchCharactersResponse(characters: characters, total: Int32(names.count)))
        }
        return FakeServer([
            "SearchCharacters": [page(names)], "SearchCharacters:fuzzy": [page(similar)],
            "GetCharacter": [.message(GetCharacterResponse(character: MarvelCharacter(id: 2, name: "found")))],
        ])
    }

    @Test(
        arguments: [
            ("Thor", ["Thor", "Thor (Ultimate)"], 1), ("thor", ["Thor", "Thor (Ultimate)"], 1),
            ("Iron Man", ["Iron Man", "Iron Man (Ultimate)"], 1), ("THOR", ["Thora", "thor"], 2),
            // Its case counts if there are several.
            ("Thor", ["THOR", "Thor"], 2),
        ] as [(String, [String], Int64)]
    )
    func aWholeNameIsANumberToo(_ name: String, _ names: [String], _ id: Int64) async throws {
        let server = names.count == 1 ? Self.found(names[0]) : Self.found(names[0], names[1])
        let run = await Run("show \(name) --list mine", server)
        #expect(run.status == .done, "\(run.errors)")
        let request = try server.request(GetCharacterRequest.self, of: "GetCharacter")
        #expect(request == GetCharacterRequest(id: id, list: "mine"))
    }

    @Test func idsAreOfferedIfNoneOrSeveralHaveTheName() async {
        let run = await Run("show Spider", Self.found("Spider-Man", "Spider-Woman"))
        #expect(
            run.errors == """
                Error: No character is named “Spider”. Use `marvel show ID` with one of these:
                1\tSpider-Man
                2\tSpider-Woman

                """
        )
        #expect(run.output == "")
        #expect(run.status.rawValue == 69)
        let several = await Run("show thor", Self.found("THOR", "Thor"))
        #expect(several.errors.hasPrefix("Error: Several characters are named “thor”. Use `marvel show ID`"))
        let similar = await Run("show Thorr", Self.found(similar: ["Thor"]))
        #expect(similar.errors.hasSuffix("one of these:\n1\tThor\n"))
        let none = await Run("show Qwerty", Self.found())
        #expect(none.errors == "Error: No character is named “Qwerty”. `marvel search NAME` finds ids.\n")
        #expect(none.status.rawValue == 69)
        let json = await Run("show Spider --json", Self.found("Spider-Man"))
        #expect(json.errors.contains("CHARACTER_NOT_FOUND"))
        #expect(json.status.rawValue == 69)
    }

    @Test(arguments: ["show 0", "show -- -5", "show"])
    func anIDIsAboveZero(_ line: String) async {
        #expect(await Run(line, server).status == .usage)
    }

    @Test func controlCharactersOfNamesAndTextsAreNotPrinted() async {
        let evil = MarvelCharacter(id: 5, name: "\u{1B}]0;owned\u{7}Evil\u{202E}", description: "a\nb\u{9B}31mc")
        let server = FakeServer([
            "GetCharacter": [.message(GetCharacterResponse(character: evil, attribution: "x\u{1B}[2Jy"))]
        ])
        let run = await Run("show 5 --color never", server, output: MemoryOutput(columns: 80))
        #expect(!run.output.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(run.output.hasPrefix("\u{FFFD}]0;owned\u{FFFD}Evil\n\na b\u{FFFD}31mc\n"))
        #expect(run.output.hasSuffix("\nx\u{FFFD}[2Jy\n"))
        let json = await Run("show 5 --json", server)
        #expect(json.output.contains(#""name":"\u001b]0;owned\u0007Evil"#))
        #expect(json.output.contains(#""description":"a\nb\u009b31mc""#))
    }
}

struct ToggleCommandTests {
    private func server(_ isFavorite: Bool, evicted: [Favorite] = [], knowsName: Bool = true) -> FakeServer {
        let character = GetCharacterResponse(character: peter, isFavorite: isFavorite, attribution: attribution)
        return FakeServer([
            "ToggleFavorite": [
                .message(ToggleFavoriteResponse(isFavorite: isFavorite, revision: 6, evicted: evicted))
            ],
            "GetCharacter": [knowsName ? .message(character) : .failure(RPCError(.unavailable, "no catalog"))],
        ])
    }

    @Test(arguments: [
        ("toggle 1009610", true, "Saved ★ Spider-Man (Peter Parker). The list default is at revision 6."),
        ("toggle 1009610", false, "Removed Spider-Man (Peter Parker). The list default is at revision 6."),
        (
            "toggle 1009610 --save --list x", true,
            "★ Spider-Man (Peter Parker) is now a favorite. The list x is at revision 6."
        ),
        (
            "toggle 1009610 --remove", false,
            "Spider-Man (Peter Parker) is not a favorite anymore. The list default is at revision 6."
        ),
    ])
    func reportsTheResult(_ line: String, _ isFavorite: Bool, _ text: String) async {
        let run = await Run.onTerminal(line, server(isFavorite))
        #expect(run.output == text + "\n\nData provided by Marvel.\n")
        #expect(run.status == .done)
        let piped = await Run(line, server(isFavorite))
        #expect(piped.output == text + "\n")
        #expect(piped.errors == "Data provided by Marvel.\n")
        let quiet = await Run(line + " --quiet", server(isFavorite))
        #expect(quiet.output + quiet.errors == "")
        #expect(quiet.status == .done)
    }

    @Test func namesTheEvictedFavorite() async {
        let run = await Run("toggle 1009610", server(true, evicted: [savedHam, savedPeter]))
        #expect(
            run.output.hasPrefix(
                """
                Saved ★ Spider-Man (Peter Parker). Evicted: Spider-Ham (Larval Earth) (id 1011347), \
                Spider-Man (Peter Parker) (id 1009610). The list default is at revision 6.\n
                """
            )
        )
    }

    @Test func succeedsEvenIfTheNameIsUnknown() async {
        let run = await Run("toggle 1009610", server(false, knowsName: false))
        #expect(run.output == "Removed character 1009610. The list default is at revision 6.\n")
        #expect(run.status == .done)
    }

    @Test(arguments: [("", DesiredValue.toggle), (" --save", .saved), (" --remove", .removed)])
    func sendsTheDesiredState(_ flag: String, _ desired: DesiredValue) async throws {
        let server = server(true)
        _ = await Run("toggle 1009610" + flag, server)
        let request = try #require(try server.request(ToggleFavoriteRequest.self, of: "ToggleFavorite"))
        #expect(request.characterID == 1_009_610)
        #expect(request.desired == desired)
        #expect(request.requestID.count == 36)
    }

    @Test func printsTheAnswerAsJSONWithoutAnotherCall() async {
        let server = server(true, evicted: [savedHam])
        let run = await Run("toggle 1009610 --json", server)
        #expect(run.output.hasPrefix(#"{"isFavorite":true,"revision":"6","evicted":[{"#))
        #expect(server.calls.map(\.method.method) == ["ToggleFavorite"])
    }

    @Test func saysThatTheChangeMayHaveBeenMade() async {
        let server = FakeServer(["ToggleFavorite": [.failure(RPCError(.deadlineExceeded, "too late"))]])
        let run = await Run("toggle 1009610", server)
        #expect(
            run.errors == """
                Error: 127.0.0.1:6160 did not answer within the timeout. Increase it, for example with \
                --timeout 30s. The change may have been made anyway: see `marvel favorites`.

                """
        )
        #expect(run.status.rawValue == 68)
    }
}

struct FavoritesCommandTests {
    private let server = FakeServer([
        "ListFavorites": [
            .message(
                ListFavoritesResponse(
                    favorites: [savedHam, savedPeter],
                    revision: 7,
                    capacity: 5,
                    attribution: attribution
                )
            )
        ]
    ])

    @Test func aPipeGetsIdsNamesAndTimes() async {
        let run = await Run("favorites --list mine", server)
        #expect(
            run.output == """
                1011347\tSpider-Ham (Larval Earth)\t2026-01-05T08:50:00Z
                1009610\tSpider-Man (Peter Parker)\t2026-01-05T08:51:12.005Z

                """
        )
        #expect(run.errors == "Data provided by Marvel.\n")
        let quiet = await Run("favorites -q", server)
        #expect(quiet.output == run.output && quiet.errors == "")
    }

    @Test func listsOldestFirst() async throws {
        let run = await Run.onTerminal("favorites --list mine", server)
        #expect(
            run.output == """
                List mine: 2 of 5, revision 7.

                        ID  NAME                       SAVED
                ★  1011347  Spider-Ham (Larval Earth)  2026-01-05 08:50:00 UTC
                ★  1009610  Spider-Man (Peter Parker)  2026-01-05 08:51:12 UTC

                Data provided by Marvel.

                """
        )
        #expect(
            try server.request(ListFavoritesRequest.self, of: "ListFavorites") == ListFavoritesRequest(list: "mine")
        )
    }

    @Test(arguments: [("", false), (" --json", true)])
    func saysThatAListMayBeOld(_ option: String, _ isJSON: Bool) async {
        let old = ListFavoritesResponse(favorites: [savedHam], revision: 7, capacity: 5, age: .milliseconds(12_400))
        let run = await Run.onTerminal("favorites" + option, FakeServer(["ListFavorites": [.message(old)]]))
        #expect(
            run.errors == "The server's database does not answer: the list may have changed in the last 12 s.\n"
        )
        #expect(run.output.contains(#""age":"12.400s""#) == isJSON)
        #expect(run.status == .done)
    }

    @Test func saysThatAListIsEmpty() async {
        let empty = ListFavoritesResponse(favorites: [], revision: 0, capacity: 5, attribution: attribution)
        let server = FakeServer(["ListFavorites": [.message(empty)]])
        let run = await Run.onTerminal("favorites", server)
        #expect(run.output == "The list default is empty. `marvel toggle ID` saves a character.\n")
        let piped = await Run("favorites", server)
        #expect(piped.output + piped.errors == "")
    }
}

struct HealthCommandTests {
    @Test(arguments: [
        (HealthCheckResponse.ServingStatus.serving, "The server is serving.\n", Int32(0)),
        (.notServing, "The server is not serving.\n", 1),
        (.unknown, "The server has no health status yet.\n", 1),
    ])
    func saysWhetherTheServerAcceptsCalls(
        _ status: HealthCheckResponse.ServingStatus,
        _ text: String,
        _ exit: Int32
    ) async {
        let run = await Run("health", FakeServer(["Check": [.message(HealthCheckResponse(status: status))]]))
        #expect(run.output == text)
        #expect(run.status.rawValue == exit)
    }

    private static let serving = FakeServer.Answer.message(HealthCheckResponse(status: .serving))
    private static let info = GetCatalogInfoResponse(
        kind: .file,
        characterCount: 1_479,
        matches: [.prefix, .wordPrefix],
        attribution: attribution,
        loadedAt: Timestamp(seconds: 1_767_603_072, nanoseconds: 5_000_000),
        serverVersion: "1.2.3",
        history: "0123456789abcdef"
    )

    @Test func describesTheServerIfAsked() async {
        let run = await Run.onTerminal(
            "health --verbose",
            FakeServer(["Check": [Self.serving], "GetCatalogInfo": [.message(Self.info)]])
        )
        #expect(
            run.output == """
                The server is serving.

                version  1.2.3
                catalog  file, 1479 characters
                matches  prefix, word
                loaded   2026-01-05 08:51:12 UTC
                history  0123456789abcdef

                Data provided by Marvel.

                """
        )
        #expect(run.status == .done)
    }

    /// An older server has a health too.
    @Test func aServerThatDoesNotDescribeItselfIsStillHealthy() async {
        let run = await Run("health -v", FakeServer(["Check": [Self.serving]]))
        #expect(run.output == "The server is serving.\n")
        #expect(run.errors.hasPrefix("Error: No such method."))
        #expect(run.status == .done)
    }

    @Test func exitsWith1IfNoServerAnswers() async {
        let server = FakeServer(["Check": [.failure(RPCError(.unavailable, "nobody"))]])
        #expect(await Run("health", server).status == .failed)
    }
}
