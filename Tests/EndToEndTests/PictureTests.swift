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
            #expect(favorites.output.contains("\"revision\":\"1\","), "a picture does not change a list")
        }
        // Nobody listens there.
        try await Stand.run(serverArguments: ["--catalog", "http://127.0.0.1:1"], folder: folder) { stand in
            try await expectStale(stand)
        }
    }

    @Test func aBackupHasTheKeptPictures() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let copy = folder.path("copy.sqlite")
        try await Stand.run(.gateway([]), serverArguments: ["--log-level", "debug"], folder: folder) { stand in
            let toggle = try await stand.marvel("toggle", "1009610", "--save")
            #expect(toggle.status == 0, "\(toggle.errors)")
            try await stand.server.waitForError(containing: "pictures kept")
            let backup = try await RunningProgram.run("marvel-server", ["backup", stand.store, copy])
            #expect(backup.status == 0, "\(backup.errors)")
            #expect(backup.errors == "the pictures of 1 favorites are in \(copy).cache\n")
            let again = try await RunningProgram.run("marvel-server", ["backup", "--overwrite", stand.store, copy])
            #expect(again.status == 0, "\(again.errors)")
            let pictures = folder.path("other.sqlite.cache")
            try Data("x".utf8).write(to: URL(filePath: pictures))
            let refused = try await RunningProgram.run(
                "marvel-server",
                ["backup", stand.store, folder.path("other.sqlite")]
            )
            #expect(refused.errors.contains("\(pictures) already exists and was not replaced"), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("other.sqlite")))
        }
        let pictures = URL(filePath: copy + ".cache")
        let whole = try Data(contentsOf: pictures)
        try Data("This is not a database.".utf8).write(to: pictures)
        let refused = try await RunningProgram.run("marvel-server", ["restore", copy, other.path("favorites.sqlite")])
        #expect(refused.status != 0 && refused.errors.contains(pictures.path), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: other.path("favorites.sqlite")), "nothing was changed")
        try whole.write(to: pictures)
        let restore = try await RunningProgram.run("marvel-server", ["restore", copy, other.path("favorites.sqlite")])
        #expect(restore.status == 0, "\(restore.errors)")
        try await Stand.run(serverArguments: ["--catalog", "http://127.0.0.1:1"], folder: other) { stand in
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
            let toggle = try await stand.marvel("toggle", "1009610", "--save")
            #expect(toggle.status == 0, "\(toggle.errors)")
        }
        let store = folder.path("favorites.sqlite")
        let python = try await RunningProgram.run("/usr/bin/python3", ["-c", Self.downgrade, store])
        #expect(python.status == 0, "\(python.errors)")
        try await Stand.run(serverArguments: ["--set", "gateway.cache=/proc/cache"], folder: folder) { stand in
            #expect(stand.server.errorText.contains("pictures of favorites stay in the store"))
            let toggle = try await stand.marvel("toggle", "1009144", "--save")
            #expect(toggle.status == 0, "\(toggle.errors)")
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
