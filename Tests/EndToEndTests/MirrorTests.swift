import Catalog
import CatalogFiles
import Foundation
import MarvelDomain
import Testing

/// `marvel-server mirror` beside a gateway, with the programs as they are shipped.
@Suite(.timeLimit(.minutes(5)))
struct MirrorTests {
    /// Starts a gateway, runs `body`, and stops it.
    private func withGateway(
        _ arguments: [String],
        _ body: (_ url: String, _ gateway: RunningProgram, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        let gateway = try RunningProgram(
            "marvel-gateway",
            ["--address", "127.0.0.1:0", "--log-level", "debug"] + arguments,
            environment: Stand.keys
        )
        let result: Result<Void, any Error>
        do {
            let url = "http://\(try await gateway.listeningAddress())"
            result = .success(try await body(url, gateway, try TemporaryFolder()))
        } catch {
            result = .failure(error)
        }
        gateway.send(SIGTERM)
        await gateway.waitForEnd()
        try result.get()
    }

    private func arguments(_ url: String, _ file: String) -> [String] {
        ["mirror", "--gateway", url, "--into", file]
    }

    /// Returns the number of answers that the gateway has logged.
    private func answerCount(_ gateway: RunningProgram) -> Int {
        gateway.errorText.components(separatedBy: "\"message\":\"answered\"").count - 1
    }

    /// Without what names the gateway's own address.
    private func plain(_ characters: some Sequence<MarvelCharacter>) -> [MarvelCharacter] {
        characters.map { character in
            var character = character
            character.thumbnail = nil
            character.urls = []
            return character
        }
    }

    private func expect(_ file: String, has count: Int) throws {
        let found = try CatalogFileReader(file).withCharacters { Array($0) }
        #expect(plain(found) == plain(SyntheticCharacters(count: count)))
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
    func stoppedInTheMiddleItGoesOnWithoutAskingAgain(_ signal: Int32) async throws {
        try await withGateway(["--catalog", "synthetic:950", "--latency", "100ms"]) { url, gateway, folder in
            let file = folder.path("marvel.catalog")
            let first = try RunningProgram("marvel-server", arguments(url, file), environment: Stand.keys)
            try await first.waitForError(containing: "290 of 950")
            first.send(signal)
            #expect(await first.waitForEnd() == 128 + signal)
            #expect(!FileManager.default.fileExists(atPath: file))
            let second = try await RunningProgram.run("marvel-server", arguments(url, file), environment: Stand.keys)
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.errors.contains("resuming the copy of"))
            // The page that was under way when the program was killed may be asked for twice.
            #expect((10...11).contains(answerCount(gateway)), "\(answerCount(gateway))")
            try expect(file, has: 950)
            #expect(!(first.errorText + second.errors).contains("private-key-of-tests"))
            // What changed, and how many there are.
            let before = answerCount(gateway)
            let third = try await RunningProgram.run("marvel-server", arguments(url, file), environment: Stand.keys)
            #expect(third.status == 0, "\(third.errors)")
            #expect(answerCount(gateway) == before + 2)
            try expect(file, has: 950)
        }
    }

    @Test func faultsOfTheGatewayAreSurvived() async throws {
        let faults = ["--error-rate", "20%", "--cut-rate", "10%", "--wrong-json-rate", "10%", "--seed", "7"]
        try await withGateway(["--catalog", "synthetic:950"] + faults) { url, _, folder in
            let file = folder.path("marvel.catalog")
            let mirror = try await RunningProgram.run("marvel-server", arguments(url, file), environment: Stand.keys)
            #expect(mirror.status == 0, "\(mirror.errors)")
            try expect(file, has: 950)
        }
    }

    @Test(arguments: [[], ["--rate-limit", "4/24h"], ["--rate-limit", "4/24h", "--retry-after"]])
    func aSpentBudgetStopsItIfItIsNotToWait(_ limit: [String]) async throws {
        try await withGateway(["--catalog", "synthetic:950"] + limit) { url, gateway, folder in
            let file = folder.path("marvel.catalog")
            let calls = limit.isEmpty ? "4" : "100"
            for _ in 1...2 {
                let mirror = try await RunningProgram.run(
                    "marvel-server",
                    arguments(url, file) + ["--no-wait", "--calls-per-day", calls],
                    environment: Stand.keys
                )
                #expect(mirror.status == 72, "\(mirror.errors)")
                #expect(mirror.errors.contains("run the same command again"))
                #expect(answerCount(gateway) == (limit.isEmpty ? 4 : 5), "\(answerCount(gateway))")
            }
        }
    }

    @Test func aLimitThatPassesIsWaitedFor() async throws {
        let limit = ["--rate-limit", "4/2s", "--retry-after"]
        try await withGateway(["--catalog", "synthetic:950"] + limit) { url, _, folder in
            let file = folder.path("marvel.catalog")
            let mirror = try await RunningProgram.run("marvel-server", arguments(url, file), environment: Stand.keys)
            #expect(mirror.status == 0, "\(mirror.errors)")
            try expect(file, has: 950)
        }
    }

    @Test func theBudgetIsSharedWithTheCacheOfAServer() async throws {
        try await withGateway(["--catalog", "synthetic:950"]) { url, gateway, folder in
            let cache = ["--cache", folder.path("cache"), "--no-wait", "--quiet", "--calls-per-day", "12"]
            let first = arguments(url, folder.path("a.catalog")) + cache
            let whole = try await RunningProgram.run("marvel-server", first, environment: Stand.keys)
            #expect(whole.status == 0 && whole.errors.isEmpty, "\(whole.errors)")
            let second = arguments(url, folder.path("b.catalog")) + cache
            let part = try await RunningProgram.run("marvel-server", second, environment: Stand.keys)
            #expect(part.status == 72, "\(part.errors)")
            #expect(answerCount(gateway) == 12)
        }
    }

    @Test func picturesComeAlong() async throws {
        try await withGateway(["--catalog", "synthetic:20"]) { url, _, folder in
            let file = folder.path("marvel.catalog")
            let mirror = try await RunningProgram.run(
                "marvel-server",
                arguments(url, file) + ["--thumbnails"],
                environment: Stand.keys
            )
            #expect(mirror.status == 0, "\(mirror.errors)")
            let reader = try CatalogFileReader(file)
            #expect(reader.description.pictureCount == 20)
            #expect(try await reader.picture(of: SyntheticCharacters.firstID, .standardLarge) != nil)
        }
    }
}
