import Foundation
import Testing

/// Pictures as a client gets them, with the programs as they are shipped.
@Suite(.timeLimit(.minutes(3)))
struct PictureTests {
    private static let beginning = Data([0x89, 0x50, 0x4E, 0x47])

    @Test(arguments: [Stand.Catalog.builtIn, .gateway([])])
    func aPictureIsSavedToAFile(_ catalog: Stand.Catalog) async throws {
        try await Stand.run(catalog) { stand in
            let file = stand.folder.path("picture")
            let saved = try await stand.marvel("thumbnail", "1009610", "--output", file, "--variant", "portrait_xlarge")
            #expect(saved.status == 0, "\(saved.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Self.beginning))
            #expect(saved.output.contains("image/png"))
            #expect(!saved.output.contains("old."))
            let unknown = try await stand.marvel("thumbnail", "1", "--output", file)
            #expect(unknown.status == 69, "\(unknown.errors)")
        }
    }

    @Test func theKeptPictureOfAFavoriteOutlivesItsSourceAndTheServer() async throws {
        let folder = try TemporaryFolder()
        try await Stand.run(.gateway([]), serverArguments: ["--log-level", "debug"], folder: folder) { stand in
            let toggle = try await stand.marvel("toggle", "1009610", "--save")
            #expect(toggle.status == 0, "\(toggle.errors)")
            try await stand.server.waitForError(containing: "pictures kept")
            let gateway = try #require(stand.gateway)
            gateway.send(SIGKILL)
            try await expectStale(stand)
            let other = try await stand.marvel("thumbnail", "1009368", "--output", "-")
            #expect(other.status == 78, "\(other.errors)")
            let favorites = try await stand.marvel("favorites", "--json")
            #expect(favorites.output.contains("\"revision\":\"1\","), "a picture is no change of a list")
        }
        // Nobody listens there.
        try await Stand.run(serverArguments: ["--catalog", "http://127.0.0.1:1"], folder: folder) { stand in
            try await expectStale(stand)
        }
    }

    private func expectStale(_ stand: Stand) async throws {
        let file = stand.folder.path("kept")
        let kept = try await stand.marvel("thumbnail", "1009610", "--output", file, "--json")
        #expect(kept.status == 0, "\(kept.errors)")
        let facts = try #require(try JourneyTests.objects(in: kept.output).first)
        #expect(facts["variant"] as? String == "standard_large")
        let freshness = try #require(facts["freshness"] as? [String: Any])
        #expect(freshness["isStale"] as? Bool == true)
        #expect(freshness["source"] as? String == "SOURCE_CACHE")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(bytes.starts(with: Self.beginning))
        let words = try await stand.marvel("thumbnail", "1009610", "--output", file)
        #expect(words.errors.contains("The source does not answer"), "\(words.errors)")
    }
}
