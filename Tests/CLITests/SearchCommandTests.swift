import FakeChannel
import MarvelClient
import ProgramSupport
import Terminal
import TerminalUI
import Testing
import WireMessages

@testable import marvel

struct SearchCommandTests {
    private let server = FakeServer(["SearchCharacters": [.message(firstPage), .message(lastPage)]])

    @Test func showsTheTotalATableAndTheAttribution() async {
        let run = await Run.onTerminal("search spider", server)
        #expect(
            run.output == """
                The names of 3 characters begin with “spider”.

                        ID  NAME                       COMICS  DESCRIPTION
                   1011347  Spider-Ham (Larval Earth)      12
                ★  1009610  Spider-Man (Peter Parker)    4238  Bitten by a spider, he climbs walls and makes jokes \
                while New York throws villains at him.
                   1017100  스파이더맨 🕷️                   3

                Data provided by Marvel.

                """
        )
        #expect(run.errors == "")
        #expect(run.status == .done)
        #expect(server.isShutDown)
    }

    private static let rows = """
        1011347\tSpider-Ham (Larval Earth)\t12\t\t
        1009610\tSpider-Man (Peter Parker)\t4238\tBitten by a spider, he climbs walls and makes jokes \
        while New York throws villains at him.\t★
        1017100\t스파이더맨 🕷️\t3\t\t

        """

    @Test func aPipeGetsOnlyRowsAndATerminalTheAttribution() async {
        let run = await Run("search spider", server)
        #expect(run.output == Self.rows)
        #expect(run.errors == "Data provided by Marvel.\n")
    }

    @Test(arguments: [nil, 80])
    func quietPrintsRowsAndNothingElse(columns: Int?) async {
        let errors = MemoryOutput(columns: 80)
        let output = MemoryOutput(columns: columns)
        let run = await Run("search spider -q --color never", server, output: output, errors: errors)
        #expect(run.output == Self.rows)
        #expect(run.errors == "")
        #expect(server.calls.count == 1)
    }

    @Test(arguments: [
        (
            "search spider", 13, Freshness.Source.builtIn,
            "10 more names have a word that begins with “spider”: add --match word\n"
        ),
        ("search spider", 4, .file, "1 more name has a word that begins with “spider”: add --match word\n"),
        ("search spider", 3, .builtIn, ""), ("search spider", 13, .gateway, ""),
        ("search spider --match word", 13, .builtIn, ""), ("search spider --json", 13, .builtIn, ""),
    ])
    func aTerminalShowsHowManyMoreASearchByWordFinds(
        _ line: String,
        _ total: Int32,
        _ source: Freshness.Source,
        _ hint: String
    ) async throws {
        let page = SearchCharactersResponse(characters: [wide], total: 3, freshness: Freshness(source: source))
        let words = SearchCharactersResponse(characters: [wide], total: total, freshness: Freshness(source: source))
        let server = FakeServer([
            "SearchCharacters": [.message(page)], "SearchCharacters:wordPrefix": [.message(words)],
        ])
        let errors = MemoryOutput(columns: 80)
        let run = await Run(line + " --color never", server, environment: ["TERM": "dumb"], errors: errors)
        #expect(run.errors == hint)
        let searches = try server.calls.map { try SearchCharactersRequest(decoding: $0.request, limit: .request) }
        #expect(searches.dropFirst().allSatisfy { $0.maxPages == 1 && $0.pageSize == 1 && $0.match == .wordPrefix })
    }

    @Test(arguments: ["0", "-1", "101", "1000"])
    func aPageSizeThatTheServerWouldChangeIsRefused(_ size: String) async {
        for command in ["search spider --page-size=", "load --page-size="] {
            let run = await Run(command + size, server)
            #expect(run.status == .usage)
            #expect(run.errors.hasPrefix("Error: --page-size is \(size); it must be 1 to 100."), "\(run.errors)")
        }
        #expect(server.calls.isEmpty)
    }

    @Test func cutsDescriptionsToTheTerminal() async {
        let run = await Run("search spider --color never", server, output: MemoryOutput(columns: 72))
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines[3] == "★  1009610  Spider-Man (Peter Parker)    4238  Bitten by a spider, he c…")
        #expect(lines.allSatisfy { $0.displayWidth <= 72 })
    }

    @Test func marksFavoritesByColor() async {
        let run = await Run("search spider", server, output: MemoryOutput(columns: 72))
        #expect(run.output.contains("\u{1B}[1;33m★\u{1B}[0m  1009610  \u{1B}[1;33mSpider-Man (Peter Parker)\u{1B}[0m"))
        #expect(run.output.contains("\n   1011347  Spider-Ham (Larval Earth)  "))
    }

    @Test func sendsItsOptions() async throws {
        _ = await Run(
            "search --match substring --pages 2 --page-size 5 --skip 7 --page-token t --list mine iron  man",
            server
        )
        let expected = SearchCharactersRequest(
            query: "iron man",
            match: .substring,
            pageSize: 5,
            pageToken: "t",
            skip: 7,
            maxPages: 2,
            list: "mine"
        )
        #expect(try server.request(SearchCharactersRequest.self, of: "SearchCharacters") == expected)
    }

    @Test(arguments: [("search spider", nil), ("search spider --timeout 250ms", Duration.milliseconds(250))])
    func hasNoTimeLimitUnlessOneIsGiven(_ line: String, _ timeout: Duration?) async {
        _ = await Run(line, server)
        #expect(server.calls.map(\.timeout) == [timeout])
    }

    @Test func saysThatNothingWasFound() async {
        let server = FakeServer([
            "SearchCharacters": [.message(SearchCharactersResponse(total: 0, attribution: attribution))]
        ])
        let run = await Run.onTerminal("search zz", server)
        #expect(run.output == "No character's name begins with “zz”.\n\nData provided by Marvel.\n")
        #expect(run.status == .done)
    }

    @Test(arguments: [
        ("search the hulkk", Freshness.Source.builtIn, "\(advice)\nSimilar names: Hulk, She-Hulk.\n"),
        ("search the hulkk", .gateway, "Similar names: Hulk, She-Hulk.\n"), ("search the hulkk --quiet", .builtIn, ""),
        ("search the hulkk --json", .builtIn, ""), ("search the hulkk --match word", .builtIn, ""),
    ])
    func suggestsNamesIfNoNameHasThePrefix(_ line: String, _ source: Freshness.Source, _ errors: String) async throws {
        let page = SearchCharactersResponse(total: 0, attribution: attribution, freshness: Freshness(source: source))
        let names = SuggestNamesResponse(names: ["Hulk", "She-Hulk"], attribution: attribution)
        let server = FakeServer(["SearchCharacters": [.message(page)], "SuggestNames": [.message(names)]])
        let run = await Run(line, server)
        let attribution = line.contains("--") && !line.contains("--match") ? "" : "Data provided by Marvel.\n"
        #expect(run.errors == attribution + errors)
        #expect(run.status == .done)
        let request = try server.request(SuggestNamesRequest.self, of: "SuggestNames")
        #expect(request == (errors.isEmpty ? nil : SuggestNamesRequest(query: "the hulkk", limit: 5)))
    }

    private static let advice =
        "Only the beginnings of names were searched: --match word, substring or fuzzy finds more."

    /// A server that cannot suggest has answered the search all the same.
    @Test func suggestsOtherSearchesIfNoNameIsSimilar() async {
        let page = SearchCharactersResponse(total: 0, attribution: attribution)
        let error = RPCError(.unavailable, "away", origin: .peer)
        let server = FakeServer(["SearchCharacters": [.message(page)], "SuggestNames": [.failure(error)]])
        let run = await Run("search zz --no-retry", server)
        #expect(run.errors == "Data provided by Marvel.\n\(Self.advice)\n")
        #expect(run.status == .done)
    }

    @Test func saysHowOldStaleResultsAre() async {
        var page = lastPage
        page.freshness = Freshness(source: .cache, age: .seconds(3 * 3_600), isStale: true)
        let run = await Run.onTerminal("search spider", FakeServer(["SearchCharacters": [.message(page)]]))
        let footer = "The source does not answer: this data is 3 h old.\nData provided by Marvel.\n"
        #expect(run.output.hasSuffix("\n\n\(footer)"))
    }

    @Test func showsProgressOnlyOnATerminal() async {
        let watched = await Run("search spider", server, errors: MemoryOutput(columns: 80))
        #expect(
            watched.errors == """
                \r\u{1B}[KSearching…\r\u{1B}[K\r\u{1B}[K2 of 3 characters, 1 page\r\u{1B}[K\
                \r\u{1B}[K3 of 3 characters, 2 pages\r\u{1B}[K\u{1B}[2mData provided by Marvel.\u{1B}[0m

                """
        )
        for line in ["search spider -q", "search spider --json"] {
            #expect(await Run(line, server, errors: MemoryOutput(columns: 80)).errors == "")
        }
        let dumb = await Run("search spider", server, environment: ["TERM": "dumb"], errors: MemoryOutput(columns: 80))
        #expect(dumb.errors == "Data provided by Marvel.\n")
    }

    @Test func aTerminalShowsHowToContinue() async {
        let server = FakeServer(["SearchCharacters": [.message(firstPage)]])
        let run = await Run("search spider --pages 1 --color never", server, errors: MemoryOutput(columns: 80))
        #expect(run.errors.hasSuffix("More results: add --page-token dG9rZW4\n"))
        #expect(await Run("search spider --pages 1", server).errors == "Data provided by Marvel.\n")
    }

    @Test func earlierResultsKeepTheirAttributionAfterAFailure() async {
        let error = RPCError(.unavailable, "the Marvel API does not answer", origin: .peer)
        let server = FakeServer(["SearchCharacters": [.message(firstPage), .failure(error)]])
        let run = await Run("search spider", server)
        #expect(run.errors == "Data provided by Marvel.\nError: The Marvel API does not answer.\n")
        #expect(run.status.rawValue == 78)

        let watched = await Run("search spider --color never", server, errors: MemoryOutput(columns: 80))
        #expect(watched.errors.contains("More results: add --page-token dG9rZW4\nError: The Marvel API"))
    }

    @Test func endsQuietlyWhenItsReaderLeaves() async {
        let run = await Run("search spider", server, output: MemoryOutput(writes: 1))
        #expect(run.output.hasPrefix("1011347\tSpider-Ham"))
        #expect(run.errors == "")
        #expect(run.status == .done)
    }

    @Test func saysThatTheOutputIsFull() async {
        let output = MemoryOutput(writes: 1, failure: .failed(reason: "No space left on device"))
        let run = await Run("search spider", server, output: output)
        #expect(run.errors.hasSuffix("Error: the output cannot be written: No space left on device\n"))
        #expect(run.status == .failed)
    }
}
