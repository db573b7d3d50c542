import ChildProcesses
import Foundation
import RPCClient
import RPCCore
import Testing
import WireMessages

/// A gateway that comes and goes, and what it is asked.
@Suite(.timeLimit(.minutes(10)))
struct GatewayTroubleTests {
    private func freshness(_ output: String) throws -> [String: Any] {
        let page = try #require(JourneyTests.objects(in: output).first)
        return try #require(page["freshness"] as? [String: Any])
    }

    private func search(_ stand: Stand, _ text: String = "spider") async throws -> [String: Any] {
        let search = try await succeeded(stand.marvel("search", text, "--pages", "1", "--json"))
        return try freshness(search.output)
    }

    /// A small one: a gateway that draws takes its time for others when it is not optimized.
    private func thumbnail(_ stand: Stand) async throws -> [String: Any] {
        let file = stand.folder.path("picture")
        let saved = try await succeeded(
            stand.marvel(
                "thumbnail",
                "1009610",
                "--variant",
                "standard_small",
                "--output",
                file,
                "--json"
            )
        )
        return try freshness(saved.output)
    }

    @Test func cachedAnswersSurviveTheGatewayAndTheServer() async throws {
        let folder = try TemporaryFolder()
        try await Stand.run(.gateway([]), folder: folder) { stand in
            #expect(try await search(stand)["source"] as? String == "SOURCE_GATEWAY")
            #expect(try await search(stand)["source"] as? String == "SOURCE_CACHE")
            #expect(try await thumbnail(stand)["source"] as? String == "SOURCE_GATEWAY")
            let counters = try await stand.server.counters()
            #expect(counters["upstreamCall"] == 1, "the character was on the page, and pictures do not count as calls")
            #expect(counters["upstreamHit"] == 2)
            #expect(counters["upstreamWaiting"] == 0)

            try #require(stand.gateway).send(SIGKILL)
            #expect(try await search(stand)["isStale"] == nil, "it is fresh for a day")
            #expect(try await stand.marvel("search", "thor").status == 78)
        }
        // The same gateway's address, where nobody listens now.
        let address = try #require(try cachedGateway(in: folder))
        let arguments = ["--catalog", address, "--set", "gateway.cache-ttl=1ms", "--set", "gateway.calls-per-day=1"]
        try await Stand.run(serverArguments: arguments, folder: folder) { stand in
            let page = try await search(stand)
            #expect(page["isStale"] as? Bool == true)
            #expect(page["source"] as? String == "SOURCE_CACHE")
            let words = try await stand.marvel("search", "spider", "--pages", "1")
            #expect(words.errors.contains("The source does not answer"), "\(words.errors)")
            #expect(try await thumbnail(stand)["isStale"] as? Bool == true)
            let other = try await stand.marvel("search", "thor", "--no-retry", "--verbose")
            #expect(other.status == 72, "the call of the day was made before the restart: \(other.errors)")
            #expect(other.errors.contains("BUDGET_SPENT"), "\(other.errors)")
            #expect(try await stand.server.counters()["upstreamCall"] == 0)
        }
        try expectNoKeys(in: folder)
    }

    /// Returns the gateway of the first server: the address of an answer in its cache.
    private func cachedGateway(in folder: TemporaryFolder) throws -> String? {
        let bytes = try Data(contentsOf: folder.url.appending(path: "favorites.sqlite.cache"))
        let address = String(decoding: bytes, as: UTF8.self).firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)
        return address.map { String($0.output) }
    }

    private func expectNoKeys(in folder: TemporaryFolder) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where name.contains("cache") {
            let file = try Data(contentsOf: folder.url.appending(path: name))
            for key in Stand.keys.values { #expect(file.range(of: Data(key.utf8)) == nil, "\(name)") }
        }
    }

    /// The next page is fetched while the client reads the one before it, and none beyond its credit.
    @Test func pagesAreFetchedAheadOfTheReaderWithinItsCredit() async throws {
        try await Stand.run(.gateway([])) { stand in
            var options = RPCClientOptions()
            options.streamWindow = 4
            let client = RPCClient(addresses: [try #require(ServerAddress(stand.address))], options: options)
            let stream = client.serverStream(
                MethodPath(service: "marvel.v1.MarvelService", method: "SearchCharacters"),
                SearchCharactersRequest(query: "spider", pageSize: 1).encoded()
            )
            let pages = stream.makeAsyncIterator()
            _ = try await pages.next()
            // One is read; a client that comes back after two grants two more.
            try await stand.server.waitForCounters { $0["upstreamCall"] == 4 && $0["runningTasks"] == 0 }
            _ = try await pages.next()
            _ = try await pages.next()
            try await stand.server.waitForCounters { $0["upstreamCall"] == 6 && $0["runningTasks"] == 0 }
            #expect(try await stand.server.counters()["upstreamCall"] == 6)
            await client.shutdown()
        }
    }
}
