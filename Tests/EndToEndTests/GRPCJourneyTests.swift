import Foundation
import Testing

/// The client's commands over gRPC, with the programs as they are shipped.
@Suite(.timeLimit(.minutes(3)))
struct GRPCJourneyTests {
    /// Runs a client of a server's HTTP port while the server runs.
    private func run(
        _ serverArguments: String...,
        body: (_ stand: Stand, _ server: String) async throws -> Void
    ) async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0"] + serverArguments) { stand in
            let address = try await stand.server.listeningAddress("http")
            try await body(stand, "grpc://\(address)")
        }
    }

    private func marvel(
        _ server: String,
        _ arguments: String...
    ) async throws -> (status: Int32, output: String, errors: String) {
        try await RunningProgram.run("marvel", ["--server", server] + arguments)
    }

    @Test func searchSaveListAndWatch() async throws {
        try await run { stand, server in
            let search = try await marvel(server, "search", "spider", "--pages", "3", "--json")
            #expect(search.status == 0, "\(search.errors)")
            let framed = try await stand.marvel("search", "spider", "--pages", "3", "--json")
            #expect(search.output == framed.output)

            let toggle = try await marvel(server, "toggle", "1009610", "--save")
            #expect(toggle.output.hasPrefix("★ Spider-Man is a favorite now."), "\(toggle.errors)")
            let favorites = try await marvel(server, "favorites", "--json")
            #expect(favorites.output.contains("\"id\":\"1009610\""), "\(favorites.errors)")
            let health = try await marvel(server, "health", "--json")
            #expect(health.status == 0, "\(health.errors)")

            // The watch begins at a revision, so it does not matter which of the two is first.
            async let watch = marvel(server, "watch", "--from-revision", "1", "--changes", "1", "--json")
            #expect(try await marvel(server, "toggle", "1009664", "--save").status == 0)
            let watched = try await watch
            #expect(watched.status == 0, "\(watched.errors)")
            #expect(watched.output.contains("\"revision\":\"2\""), "\(watched.output)")
        }
    }

    /// What a command prints does not depend on the wire.
    @Test func namesListsAndPicturesAreTheSameOnBothWires() async throws {
        try await run { stand, server in
            let suggested = try await marvel(server, "suggest", "hu", "--json")
            #expect(suggested.status == 0 && suggested.output.contains("Hulk"), "\(suggested.errors)")
            #expect(suggested.output == (try await stand.marvel("suggest", "hu", "--json")).output)

            #expect(try await marvel(server, "toggle", "1009351", "--save", "--list", "team").status == 0)
            let lists = try await marvel(server, "lists", "--json")
            #expect(lists.output == "{\"name\":\"team\",\"revision\":\"1\",\"favoriteCount\":1}\n", "\(lists.errors)")
            #expect(lists.output == (try await stand.marvel("lists", "--json")).output)

            let files = [stand.folder.path("grpc"), stand.folder.path("framed")]
            let picture = try await marvel(server, "thumbnail", "1009351", "--output", files[0])
            #expect(picture.status == 0, "\(picture.errors)")
            #expect(try await stand.marvel("thumbnail", "1009351", "--output", files[1]).status == 0)
            let pictures = try files.map { try Data(contentsOf: URL(filePath: $0)) }
            #expect(pictures[0] == pictures[1] && !pictures[0].isEmpty)

            let deleted = try await marvel(server, "delete-list", "team", "--yes")
            #expect(deleted.output.hasPrefix("Deleted the list team, with 1 favorite"), "\(deleted.errors)")
            #expect(try await stand.marvel("lists", "--json").output.isEmpty)
        }
    }

    @Test func charactersAreCreatedAndEdited() async throws {
        try await run("--allow-edits") { stand, server in
            let created = try await marvel(server, "create", "--name", "Qwerty-Man", "--json")
            #expect(created.status == 0, "\(created.errors)")
            let edited = try await marvel(server, "edit", "1009351", "--name", "Joe Fixit")
            #expect(edited.status == 0, "\(edited.errors)")
            for name in ["Qwerty-Man", "Joe Fixit"] {
                let found = try await stand.marvel("search", name)
                #expect(found.output.contains(name), "\(found.errors)")
            }
        }
        try await run { stand, server in
            let refused = try await marvel(server, "edit", "1009351", "--name", "x", "--json")
            #expect(refused.status == 71 && refused.errors.contains("EDITS_NOT_ALLOWED"), "\(refused.errors)")
        }
    }

    @Test func anErrorIsTheSameOnBothWires() async throws {
        try await run { stand, server in
            let short = try await marvel(server, "search", "x", "--verbose")
            let framed = try await stand.marvel("search", "x", "--verbose")
            #expect((short.status, short.errors) == (framed.status, framed.errors))
            let unknown = try await marvel(server, "show", "7", "--json")
            #expect(unknown.status == 64 + 5)
            #expect(unknown.errors == (try await stand.marvel("show", "7", "--json")).errors)
        }
    }

    @Test func aLoadTestMeasuresBothWires() async throws {
        try await run { stand, server in
            for servers in [server, "\(stand.address),\(server)"] {
                let load = try await marvel(
                    servers,
                    "load",
                    "--mix",
                    "pages=2,stream=1,walk=1,toggle=1,favorites=1",
                    "--total",
                    "200",
                    "--connections",
                    "2",
                    "--concurrency",
                    "4",
                    "--warmup",
                    "0s",
                    "--json"
                )
                #expect(load.status == 0, "\(load.errors)")
                let report = try JSONSerialization.jsonObject(with: Data(load.output.utf8)) as? [String: Any]
                #expect(report?["succeeded"] as? Int == 200, "\(load.output)")
            }
        }
    }

    @Test func aServerThatStopsIsFoundAgain() async throws {
        let folder = try TemporaryFolder()
        let socket = "unix:\(folder.path("grpc.sock"))"
        for _ in 0..<2 {
            try await Stand.run(serverArguments: ["--http", socket], folder: folder) { stand in
                let toggle = try await marvel("grpc+\(socket)", "toggle", "1009610", "--save")
                #expect(toggle.status == 0, "\(toggle.errors)")
            }
        }
        let gone = try await marvel("grpc+\(socket)", "favorites", "--no-retry")
        #expect(gone.status == 64 + 14)
        #expect(gone.errors.hasPrefix("Error: No server answers at grpc+\(socket)."), "\(gone.errors)")
    }
}
