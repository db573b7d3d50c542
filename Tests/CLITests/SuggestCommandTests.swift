import FakeChannel
import MarvelClient
import Testing
import WireMessages

@testable import marvel

struct SuggestCommandTests {
    private func server(
        _ names: [String] = ["Spider-Man", "Spider-Woman"],
        _ matches: [MatchValue] = []
    ) -> FakeServer {
        let response = SuggestNamesResponse(names: names, attribution: attribution, matches: matches)
        return FakeServer(["SuggestNames": [.message(response)]])
    }

    @Test func printsOneNamePerLine() async throws {
        let server = server()
        let run = await Run("suggest spider man --limit 5", server)
        #expect(run.output == "Spider-Man\nSpider-Woman\n")
        #expect(run.errors == "Data provided by Marvel.\n")
        #expect(run.status == .done)
        let request = try server.request(SuggestNamesRequest.self, of: "SuggestNames")
        #expect(request == SuggestNamesRequest(query: "spider man", limit: 5))
        #expect(server.calls.map(\.timeout) == [.seconds(10)])
    }

    @Test func aTerminalShowsTheAttributionBelow() async {
        let run = await Run.onTerminal("suggest spider", server())
        #expect(run.output == "Spider-Man\nSpider-Woman\n\nData provided by Marvel.\n")
        #expect(run.errors == "")
        let quiet = await Run.onTerminal("suggest spider -q", server())
        #expect(quiet.output == "Spider-Man\nSpider-Woman\n")
        #expect(quiet.errors == "")
    }

    @Test func leavesTheNumberOfNamesToTheServer() async throws {
        let server = server()
        _ = await Run("suggest s", server)
        let request = try server.request(SuggestNamesRequest.self, of: "SuggestNames")
        #expect(request == SuggestNamesRequest(query: "s"))
    }

    @Test func printsNothingIfThereIsNothingToSuggest() async {
        let run = await Run("suggest zzz", server([]))
        #expect(run.output == "")
        #expect(run.status == .done)
    }

    @Test(
        arguments: [
            ([.prefix, .wordPrefix], ""), ([], ""), ([.fuzzy, .fuzzy], "No name matches. Did you mean:\n"),
            ([.prefix, .fuzzy], "The last name is only similar. Did you mean it?\n"),
        ] as [([MatchValue], String)]
    )
    func saysAtATerminalWhichNamesAreCorrections(_ matches: [MatchValue], _ hint: String) async {
        let errors = MemoryOutput(columns: 80)
        let server = server(["Spider-Man", "Spider-Woman"], matches)
        let run = await Run("suggest spiderv --color never", server, errors: errors)
        #expect(run.output.hasPrefix("Spider-Man\nSpider-Woman\n"))
        #expect(run.errors == hint + "Data provided by Marvel.\n")
    }

    @Test func controlCharactersOfNamesAreNotPrinted() async {
        let run = await Run("suggest x --color never", server(["\u{1B}]0;owned\u{7}Evil"]))
        #expect(run.output.hasPrefix("\u{FFFD}]0;owned\u{FFFD}Evil\n"))
    }

    @Test(arguments: [
        "suggest", "suggest x --limit 0", "suggest x --limit 51", "suggest x --limit ten", "suggest x --list l",
    ])
    func wrongUsageIsRefused(_ line: String) async {
        let server = server()
        let run = await Run(line, server)
        #expect(run.status == .usage)
        #expect(server.calls.isEmpty)
    }
}
