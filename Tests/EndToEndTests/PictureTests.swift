import ChildProcesses
import Foundation
import Testing

/// Pictures as a client gets them, with the programs as they are shipped.
@Suite(.timeLimit(.minutes(10)))
struct PictureTests {
    private static let beginning = Data([0x89, 0x50, 0x4E, 0x47])

    @Test func theKeptPictureOfAFavoriteOutlivesItsSourceAndTheServer() async throws {
        let folder = try TemporaryFolder()
        try await Stand.run(.gateway([]), serverArguments: ["--log-level", "debug"], folder: folder) { stand in
            try await succeeded(stand.marvel("toggle", "1009610", "--save"))
            try await stand.server.waitForError(containing: "pictures kept")
            let gateway = try #require(stand.gateway)
            gateway.send(SIGKILL)
            try await expectStale(stand)
            let other = try await stand.marvel("thumbnail", "1009368", "--output", "-")
            #expect(other.status == 78, "\(other.errors)")
            let favorites = try await stand.marvel("favorites", "--json")
            #expect(favorites.output.contains("\"revision\":\"1\","), "a picture does not change a list")
        }
        // Nobody listens there.
        try await Stand.run(serverArguments: ["--catalog", "http://127.0.0.1:1"], folder: folder) { stand in
            try await expectStale(stand)
        }
    }

    /// Makes a store of the version before, with a picture of Spider-Man.
    private static let downgrade = """
        import sqlite3, sys
        row = [1009610, "image/png", 0, b"\\x89PNG", 1700000000]
        def fields(value):
            if isinstance(value, int): return b"\\x01" + value.to_bytes(8, "little")
            tag, value = (b"\\x03", value.encode()) if isinstance(value, str) else (b"\\x04", value)
            return tag + len(value).to_bytes(8, "little") + value
        checksum = 0xCBF29CE484222325
        for byte in b"".join(map(fields, row)): checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
        db = sqlite3.connect(sys.argv[1])
        db.execute("CREATE TABLE pictures (character_id INTEGER NOT NULL PRIMARY KEY, media_type TEXT NOT NULL, "
            "is_placeholder INTEGER NOT NULL, bytes BLOB NOT NULL, fetched_at INTEGER NOT NULL) STRICT")
        db.execute("ALTER TABLE pictures ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")
        db.execute("INSERT INTO pictures VALUES (?, ?, ?, ?, ?, ?)", row + [checksum - (checksum >> 63 << 64)])
        db.execute("PRAGMA user_version = %d" % (db.execute("PRAGMA user_version").fetchone()[0] - 1))
        db.commit()
        """

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func thePicturesOfAnEarlierVersionAreMovedWhenTheyCanBe() async throws {
        let folder = try TemporaryFolder()
        try await Stand.run(folder: folder) { stand in
            try await succeeded(stand.marvel("toggle", "1009610", "--save"))
        }
        let store = folder.path("favorites.sqlite")
        try await succeeded(RunningProgram.run("/usr/bin/python3", ["-c", Self.downgrade, store]))
        try await Stand.run(serverArguments: ["--set", "gateway.cache=/proc/cache"], folder: folder) { stand in
            #expect(stand.server.errorText.contains("pictures of favorites stay in the store"))
            try await succeeded(stand.marvel("toggle", "1009144", "--save"))
        }
        try await Stand.run(folder: folder) { stand in
            #expect(stand.server.errorText.contains("pictures of favorites moved from the store to the cache"))
        }
        try await Stand.run(serverArguments: ["--catalog", "http://127.0.0.1:1"], folder: folder) { stand in
            #expect(!stand.server.errorText.contains("pictures of favorites moved"))
            try await expectStale(stand)
        }
    }

    private func expectStale(_ stand: Stand) async throws {
        let file = stand.folder.path("kept")
        let kept = try await succeeded(stand.marvel("thumbnail", "1009610", "--output", file, "--json"))
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
