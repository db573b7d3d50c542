internal import Foundation
internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

/// Lists as text, out of a store and into one.
@Suite(.temporaryFolder) struct ListTransferTests {
    private let whole = MarvelCharacter(
        id: 1_009_610,
        name: " Spider-Man \"Pete\"\n",
        description: "Ein Held — \u{1F577}\\",
        modified: Timestamp(seconds: -62_135_596_800, nanoseconds: 999_999_999),
        thumbnail: Thumbnail(path: "emblem/1009610", fileExtension: "png"),
        comicCount: 4_238,
        seriesCount: 1,
        storyCount: 2,
        eventCount: 3,
        urls: [CharacterURL(type: "wiki", url: "http://marvel.example/?a=b&c")]
    )

    private func lines(of path: String) throws -> [String] {
        var text: [UInt8] = []
        let report = try StoredLists.export(path) { text += $0 }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(report.listCount == lines.count)
        return lines
    }

    private func fill(_ path: String) async throws {
        let store = try SQLiteFavoritesStore(path: path, now: clock())
        for name in ["b", "a"] {
            for id: Int64 in [3, 1, 2] { try await store.toggle(id, on: try list(name)) }
        }
        _ = try await store.toggle(Toggle(list: try list("whole"), characterID: whole.id), character: whole)
        for _ in 1...2 { try await store.toggle(7, on: try list("empty")) }
        try await store.toggle(8, on: try list("gone"))
        _ = try await store.delete(try list("gone"))
        await store.close()
    }

    /// The lines without their revisions.
    private func contents(_ lines: [String]) -> [Substring] {
        lines.map { $0.prefix(upTo: $0.range(of: #","revision""#)?.lowerBound ?? $0.endIndex) }
    }

    @Test func exportAndImportRoundTrip() async throws {
        let (old, new) = ("\(folder)/old", "\(folder)/new")
        try await fill(old)
        let lines = try lines(of: old)
        #expect(lines.count == 4)
        #expect(lines[2] == #"{"favorites":[],"list":"empty","owner":"","revision":2}"#)
        let report = try await importLists(lines.joined(separator: "\n"), into: new)
        #expect((report.changedCount, report.unchangedCount, report.favoriteCount) == (4, 0, 7))
        #expect(contents(try self.lines(of: new)) == contents(lines))

        let store = try SQLiteFavoritesStore(path: new)
        #expect(try await store.favorites(try list("whole")).favorites.map(\.character) == [whole])
        #expect(
            try await store.favorites(try list("a")).favorites.map(\.savedAt.seconds) == [
                1_700_000_000, 1_700_000_000, 1_700_000_000,
            ]
        )
        await store.close()
        #expect(try StoreCheck.check(new).problems == [])
    }

    /// As the first version wrote it. It had no owners.
    @Test func aLineOfAnyVersionIsImported() async throws {
        let line = #"""
            {"favorites":[{"character":{"comics":4238,"description":"Ein \"Held\" —","events":3,"id":1009610,\#
            "modified":{"nanoseconds":1,"seconds":-62135596800},"name":"Spider-Man","series":1,"stories":2,\#
            "thumbnail":{"fileExtension":"png","path":"emblem/1009610"},\#
            "urls":[{"type":"wiki","url":"http://marvel.example/?a=b&c"}]},\#
            "savedAt":{"nanoseconds":5,"seconds":1700000000}}],"list":"team","revision":1}
            """#
        let exported = line.replacing(#""revision":1"#, with: #""owner":"","revision":1"#)
        for text in [line, exported] {
            try await importLists(text, into: path)
            #expect(try lines(of: path) == [exported])
        }
    }

    @Test func aListIsReplacedAndOneThatIsAlreadySoDoesNotChange() async throws {
        try await fill(path)
        let lines = try lines(of: path)
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(9, on: try list("a"))
        try await store.toggle(5, on: try list("other"))
        await store.close()

        let report = try await importLists(lines.joined(separator: "\n"), into: path)
        #expect((report.changedCount, report.unchangedCount) == (1, 3))
        let again = try await importLists(lines.joined(separator: "\r\n") + "\n\n", into: path)
        #expect((again.changedCount, again.unchangedCount) == (0, 4))
        #expect(try self.lines(of: path).contains { $0.contains(#""list":"other""#) })
        #expect(try StoreCheck.check(path).problems == [])
    }

    @Test(arguments: [
        ("", "not JSON at byte 0"), ("[]", "not an object"), ("{", "not JSON at byte 1"),
        (#"{"list":"a"}"#, "favorites is missing"),
        (#"{"list":"","favorites":[]}"#, "list is not 1 to 64"),
        (#"{"list":"a b","favorites":[]}"#, "list is not 1 to 64"),
        (#"{"list":7,"favorites":[]}"#, "list is not a string"),
        (#"{"list":"a","favorites":[{}]}"#, "favorites[0].character is missing"),
        (#"{"list":"a","favorites":["# + String(repeating: "[", count: 100_000), "favorites[0] is not an object"),
        (#"{"list":"a","favorites":[],"more":"# + String(repeating: "[", count: 100_000), "nested deeper"),
        ("\u{FFFD}", "not JSON at byte 0"),
    ])
    func aLineThatIsNotAListIsRefusedByItsNumber(_ line: String, _ reason: String) async throws {
        let good = #"{"list":"good","favorites":[]}"#
        let text = [good, "", line.isEmpty ? "x" : line, good].joined(separator: "\n")
        let error = await #expect(throws: ListsImport.Failure.self) { _ = try await importLists(text, into: path) }
        #expect(error?.description.hasPrefix("line 3: ") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.report.changedCount == 1)
        let kept = try lines(of: path)
        #expect(kept.count == 1, "the line before is imported")
    }

    private func line(_ name: String, _ favorites: [Favorite]) throws -> String {
        let records = favorites.map {
            StoreRecord.Favorite(id: $0.character.id, savedRevision: 1, text: FavoriteJSON.utf8($0))
        }
        let line = ListLine.text(StoreRecord.List(try list(name), revision: 1, favorites: records))
        return String(decoding: line, as: UTF8.self)
    }

    @Test func aFavoriteThatBreaksARuleIsRefused() async throws {
        func line(_ changes: (inout Favorite) -> Void, count: Int = 1) throws -> String {
            var favorites = (1...count).map { number in
                Favorite(character: character(Int64(number)), savedAt: Timestamp(seconds: 1))
            }
            changes(&favorites[0])
            return try self.line("a", favorites)
        }
        let cases: [(String, String)] = [
            (try line { $0.character.id = 0 }, "id is 0"),
            (try line({ $0.character.id = 2 }, count: 2), "in the list twice"),
            (try line { $0.character.name = "a\u{0}" }, "zero byte"),
            (try line { $0.character.name = String(repeating: "a", count: 2_401) }, "too long"),
            (try line { $0.savedAt.seconds = 1 << 60 }, "a time"),
            (try line { $0.savedAt.nanoseconds = -1 }, "a time"),
            (try line { $0.character.modified = Timestamp(seconds: .min) }, "a time"),
            (try line({ _ in }, count: 101), "101 favorites"),
            (try line({ _ in }).replacing("\"comics\":0", with: "\"comics\":1e30"), "comics is out of range"),
        ]
        for (text, reason) in cases {
            let error = await #expect(throws: ListsImport.Failure.self) {
                _ = try await importLists(text, into: path)
            }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
    }

    @Test(arguments: [
        (#"{"edit":0,"kind":"edited","edited_at":1}"#, "the edits of character 0: the id"),
        (#"{"edit":7,"kind":"edited"}"#, "or another member is missing or invalid"),
        (#"{"edit":7,"kind":"other","edited_at":1}"#, "or another member is missing or invalid"),
        (#"{"edit":7,"kind":"edited","edited_at":999999999999999}"#, "or another member is missing or invalid"),
        (#"{"edit":"7","kind":"edited","edited_at":1}"#, "edit is not"),
        (#"{"edit":7,"kind":"edited","edited_at":1,"name":""}"#, "name must have 1 to 200 letters"),
        (#"{"edit":7,"kind":"edited","edited_at":1,"name":"a\u0000"}"#, "name has control characters"),
        (#"{"edit":7,"kind":"edited","edited_at":1,"comic_count":-1}"#, "minimum is 0"),
        (#"{"edit":7,"kind":"edited","edited_at":1,"urls":[{"type":"a","url":"b"}]}"#, "urls[0].url does not begin"),
        (#"{"edit":7,"kind":"created","edited_at":1}"#, "created without a name"),
        (#"{"edit":7,"kind":"reverted","edited_at":1,"name":"A"}"#, "reverted, but have values"),
        (#"{"edit":7,"kind":"edited","edited_at":1,"picture":"?"}"#, "picture is not base64"),
        (#"{"edit":7,"kind":"edited","edited_at":1,"media_type":"image/png","picture":"AAAA"}"#, "unsupported picture"),
        (
            #"{"edit":7,"kind":"edited","edited_at":1,"media_type":"image/gif","picture":"iVBORw0KGgo="}"#,
            "but media_type"
        ),
    ])
    func aLineOfEditsThatBreaksARuleIsRefused(_ line: String, _ reason: String) async throws {
        let good = #"{"name":"A","kind":"edited","edited_at":1,"edit":8}"#
        let error = await #expect(throws: ListsImport.Failure.self) {
            _ = try await importLists("\(good)\n\(line)\n\(good)", into: path)
        }
        #expect(error?.description.hasPrefix("line 2: ") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.report.editCount == 1, "the line before is imported")
    }

    @Test func aPictureOfAnEditThatIsTooLargeIsRefused() async throws {
        let bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 1 << 20)
        let picture = Picture(bytes: bytes, mediaType: .png)
        let edited = EditedCharacter(
            id: 7,
            kind: .edited,
            edit: CharacterEdit(),
            pictureType: .png,
            editedAt: Timestamp(seconds: 1),
            revision: 1
        )
        let line = String(decoding: EditLine.text(edited, picture), as: UTF8.self)
        let error = await #expect(throws: ListsImport.Failure.self) { _ = try await importLists(line, into: path) }
        #expect(
            error?.description.contains("picture has more than 1048576 bytes") == true,
            "\(error?.description ?? "")"
        )
    }

    /// An edit in the text replaces all edits of its character: it is not merged with them.
    @Test func anImportedEditReplacesThoseOfTheStore() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        let before = CharacterEdit(name: "Before", description: "Kept?")
        let picture = Picture(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], mediaType: .png)
        _ = try await store.edits.write(EditOrder(.existing(7), before, picture: .set(picture))) { _ in true }
        await store.close()
        let line = #"{"edit":7,"kind":"edited","edited_at":1700000000,"name":"After"}"#
        for _ in 1...2 { try await importLists(line, into: path) }
        let reopened = try SQLiteFavoritesStore(path: path)
        let edits = try await reopened.edits.edits(after: 0)
        #expect(edits.map(\.edit) == [CharacterEdit(name: "After")])
        #expect(edits.map(\.editedAt.seconds) == [1_700_000_000] && edits.map(\.revision) == [2])
        #expect(try await reopened.edits.picture(of: 7) == nil)
        await reopened.close()
    }

    @Test func aLineIsReadUpToALimit() async throws {
        let line = #"{"list":"a","favorites":[]}"#
        func take(_ text: String, limit: Int) async throws -> ListsImport.Report {
            // A byte at a time.
            var rest = Array(text.utf8)[...]
            return try await importLists(into: path, limit: limit) { rest.popFirst().map { [$0] } ?? [] }
        }
        let report = try await take(line, limit: line.utf8.count)
        #expect(report.changedCount == 1)
        for text in [line, line + "\n"] {
            let error = await #expect(throws: ListsImport.Failure.self) {
                _ = try await take("\n" + text, limit: line.utf8.count - 1)
            }
            #expect(error?.description == "line 2: it has more than 26 bytes")
        }
    }

    @Test func aLongLineOfAnythingEndsTheImportEarly() async throws {
        var pieceCount = 0
        let error = await #expect(throws: ListsImport.Failure.self) {
            _ = try await importLists(into: path, limit: 1 << 20) {
                pieceCount += 1
                return [UInt8](repeating: 0, count: 1 << 16)
            }
        }
        #expect(error?.description == "line 1: it has more than 1048576 bytes")
        #expect(pieceCount == 17)
    }

    @Test func anErrorOfWritingIsThrownAsItIs() async throws {
        struct Full: Error {}
        try await fill(path)
        #expect(throws: Full.self) { _ = try StoredLists.export(path) { _ in throw Full() } }
        #expect(throws: FavoritesStoreOpenError.self) { _ = try StoredLists.export("\(folder)/none") { _ in } }
    }
}
