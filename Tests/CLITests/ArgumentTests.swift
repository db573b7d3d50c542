import ArgumentParser
import FakeChannel
import MarvelClient
import ProgramSupport
import Testing
import WireMessages

@testable import marvel

struct ArgumentOrderTests {
    /// Every line asks for the same thing.
    @Test(arguments: [
        "--server 127.0.0.1:7 --json --timeout 2s favorites --list mine",
        "favorites --list mine --json --timeout 2s --server 127.0.0.1:7",
        "--json favorites --timeout=2s --list=mine --server=127.0.0.1:7",
        "--timeout 2s -q favorites --server 127.0.0.1:7 --json --list mine",
        "-qv --server 127.0.0.1:7 favorites --json --list mine --timeout 2s",
    ])
    func globalOptionsStandOnEitherSideOfTheSubcommand(_ line: String) async throws {
        let empty = ListFavoritesResponse(favorites: [], revision: 0, capacity: 5)
        let server = FakeServer(["ListFavorites": [.message(empty)]])
        let run = await Run(line, server)
        #expect(run.servers.map(\.address) == [.tcp(host: "127.0.0.1", port: 7)])
        #expect(run.output == #"{"capacity":5}"# + "\n")
        #expect(server.calls.map(\.timeout) == [.seconds(2)])
        let request = try server.request(ListFavoritesRequest.self, of: "ListFavorites")
        #expect(request == ListFavoritesRequest(list: "mine"))
    }

    @Test func aSubcommandsNameMayBeAnOptionsValueOrAQuery() async throws {
        let server = FakeServer()
        _ = await Run("search health --list search", server)
        let request = try #require(try server.request(SearchCharactersRequest.self, of: "SearchCharacters"))
        #expect(request.query == "health")
        #expect(request.list == "search")
    }

    @Test func textAfterTwoDashesIsAQuery() async throws {
        let server = FakeServer(["SearchCharacters": [.message(lastPage)]])
        let run = await Run("search -- -q --json", server)
        let request = try #require(try server.request(SearchCharactersRequest.self, of: "SearchCharacters"))
        #expect(request.query == "-q --json")
        #expect(run.status == .done)
    }

    @Test(arguments: ["--version", "search --version", "health --version"])
    func everySubcommandPrintsTheVersion(_ line: String) async {
        let run = await Run(line)
        #expect(run.output == "0.1.0\n")
        #expect(run.status == .done)
    }
}

struct ArgumentTests {
    @Test(arguments: [
        "bogus", "search", "search spider --pages 0", "search spider --pages=-1", "search spider --page-size many",
        "search spider --page-size 0", "search spider --page-size 101",
        "search spider --match exact", "show", "show 0", "show 99999999999999999999",
        "toggle 1 --save --remove", "toggle", "favorites --list a/b", "favorites --list=", "favorites extra",
        "--server nowhere favorites", "--server a:1,,b:2 favorites", "--server unix: favorites",
        "--timeout 10 favorites", "--timeout 0s favorites", "--color red favorites", "--bogus favorites",
        "show -- -5", "delete-list a/b -y", "delete-list a,b -y", "suggest", "suggest x --limit 0",
        "suggest x --limit 51", "suggest x --limit ten", "suggest x --list l", "thumbnail 1009610",
        "thumbnail 0 --output x", "thumbnail 1 --output x --variant huge", "thumbnail 1 --output - --json",
        "watch --changes 0", "watch --from-revision -1", "watch --from p6 --from-revision 6", "watch --list a/b",
        "create", "create --description x", "create --name x --url wiki", "create --name x --comics many",
        "create --name x --id 0", "edit", "edit 1009610", "edit x --name y", "edit 5 --url wiki=http://x --remove-urls",
        "edit 5 --picture x --remove-picture", "edit 5 --name x --revision=-1",
        "load --mix bogus", "load --mix pages=0", "load --connections 0", "load --concurrency 0", "load --total 0",
        "load --pages 0", "load --page-size 0", "load --lists 0", "load --rps 0", "load --rps=-5", "load --rps nan",
        "load --duration 5", "load --warmup soon", "load --threshold p99", "load --threshold errors<1",
        "load --threshold first-page-p99<5ms", "load --mix pages=1,toggle=1 --find-limit first-page-p99<5ms",
        "load --find-limit fast", "load --rps-end 1", "load --rps-start 5", "load --rps 5 --rps-start 5",
        "load --rps 5 --rps-start 1 --rps-end 2",
        "load --find-limit p99<5ms --rps-end 5", "load --find-limit p99<5ms --rps 100",
        "load --find-limit p99<5ms --total 100", "load --hgrm - --json", "load --hgrm - --html -", "load --html=",
    ])
    func wrongUsageExitsWith64WithoutACall(_ line: String) async {
        let server = FakeServer()
        let run = await Run(line, server)
        #expect(run.status == .usage)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("Error: "))
        #expect(run.errors.contains("Usage: marvel"))
        #expect(server.calls.isEmpty)
    }

    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("10s", .seconds(10)), ("1.5s", .milliseconds(1_500)),
        ("2m", .seconds(120)), ("1h", .seconds(3_600)), ("0.001s", .milliseconds(1)), ("1d", .seconds(86_400)),
    ])
    func aTimeHasAUnit(_ text: String, _ duration: Duration) throws {
        #expect(try Duration.option(text) == duration)
    }

    @Test(arguments: [
        "", "10", "s", "0s", "-1s", "1 s", "1S", "1y", ".5s", "5.s", "1.2.3s", "1e3s", "3654d", "inf", "nans",
        "٣s", "999999999999999999999999s",
    ])
    func anInvalidTimeIsRefused(_ text: String) {
        #expect(throws: ValidationError.self) { try Duration.option(text) }
    }

    @Test(arguments: [
        ("--timeout 10 favorites", "--timeout <time>", "Add a unit: 10s, or one of ms, m, h, d, w."),
        ("load --duration 5", "--duration <time>", "Add a unit: 5s, or one of ms, m, h, d, w."),
        ("load --warmup 1.5", "--warmup <time>", "Add a unit: 1.5s, or one of ms, m, h, d, w."),
        ("load --step-duration soon", "--step-duration <time>", "A duration is a number above 0 with a unit"),
    ])
    func theErrorForAnInvalidTimeShowsHowToWriteOne(_ line: String, _ option: String, _ advice: String) async {
        let run = await Run(line)
        #expect(run.status == .usage)
        #expect(run.errors.hasPrefix("Error: The value"))
        #expect(run.errors.contains("is invalid for '\(option)': \(advice)"))
    }

    @Test func theParserReportsAWrongOptionOfAKnownSubcommand() async {
        let run = await Run("search spider --page-sice 5")
        #expect(run.errors.contains("--page-size"))
    }

    @Test(
        arguments: [
            (["MARVEL_SERVER": "unix:/run/m.sock"], [ServerEndpoint(.unix(path: "/run/m.sock"))]),
            (
                ["MARVEL_SERVER": "a:1,[::1]:2"],
                [ServerEndpoint(.tcp(host: "a", port: 1)), ServerEndpoint(.tcp(host: "::1", port: 2))]
            ),
            (
                ["MARVEL_SERVER": "tls://a:1,unix:/run/m.sock"],
                [ServerEndpoint(.tcp(host: "a", port: 1), isSecure: true), ServerEndpoint(.unix(path: "/run/m.sock"))]
            ),
            (["MARVEL_SERVER": ""], [ServerEndpoint(.default)]),
            ([:], [ServerEndpoint(.default)]),
        ] as [([String: String], [ServerEndpoint])]
    )
    func serversComeFromTheEnvironmentIfNoneAreGiven(_ variables: [String: String], _ servers: [ServerEndpoint]) async {
        #expect(await Run("health", environment: variables).servers == servers)
    }

    @Test func theOptionWinsOverTheEnvironment() async {
        let run = await Run("health --server b:2,c:3", environment: ["MARVEL_SERVER": "a:1"])
        #expect(run.servers.map(\.address) == [.tcp(host: "b", port: 2), .tcp(host: "c", port: 3)])
    }

    @Test func aWrongEnvironmentIsNamed() async {
        let run = await Run("health", environment: ["MARVEL_SERVER": "nowhere"])
        #expect(run.status == .usage)
        #expect(run.errors.hasPrefix("Error: MARVEL_SERVER: 'nowhere' has no port: write nowhere:6160"))
    }

    @Test(arguments: [
        ("http://127.0.0.1:6161", "is a URL: write the framed port without a scheme"),
        ("a:1,localhost", "'localhost' has no port: write localhost:6160"),
    ])
    func aWrongServerIsExplained(_ text: String, _ reason: String) async {
        let run = await Run("health --server \(text)")
        #expect(run.status == .usage)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptsAreWritten(_ shell: String) async {
        let run = await Run("--generate-completion-script \(shell)")
        #expect(run.status == .done)
        #expect(run.output.contains("substring"))
        #expect(run.errors == "")
    }
}
