internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

@Suite struct SnapshotCodingTests {
    private static let savedAt = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789)

    static let plain: [MarvelCharacter] = [
        MarvelCharacter(id: 1, name: ""),
        MarvelCharacter(id: .max, name: "에이 🕷 / \u{7F}\u{2028}", description: "no escape", comicCount: .min),
        MarvelCharacter(id: 1, name: "x", modified: Timestamp(seconds: -62_135_596_800, nanoseconds: 999_999_999)),
        MarvelCharacter(id: 1, name: "x", thumbnail: Thumbnail(path: "emblem/1009610", fileExtension: "png")),
        MarvelCharacter(
            id: 1,
            name: "x",
            modified: Timestamp(seconds: 1),
            thumbnail: Thumbnail(path: "", fileExtension: ""),
            comicCount: 1,
            seriesCount: 2,
            storyCount: 3,
            eventCount: .max,
            urls: [CharacterURL(type: "", url: ""), CharacterURL(type: "wiki", url: "http://example.org/?a=1&b=2")]
        ),
    ]

    static let escaped = ["\"", "\\", "\n", "\u{0}", "\u{1F}"]

    @Test(arguments: plain) func theWriterWritesWhatJSONEncoderWould(_ character: MarvelCharacter) throws {
        let favorite = Favorite(character: character, savedAt: Self.savedAt)
        #expect(try SnapshotWriter.text(favorite) == FavoriteSnapshot.encode(FavoriteSnapshot(favorite)))
    }

    @Test(arguments: plain) func theReaderReadsWhatTheWriterWrote(_ character: MarvelCharacter) throws {
        let favorite = Favorite(character: character, savedAt: Self.savedAt)
        #expect(try SnapshotReader.favorite(FavoriteSnapshot.text(favorite)) == favorite)
    }

    @Test(arguments: escaped) func textThatNeedsEscapesIsLeftToFoundation(_ text: String) throws {
        let url = CharacterURL(type: text, url: text)
        let favorite = Favorite(
            character: MarvelCharacter(id: 1, name: text, description: text, urls: [url]),
            savedAt: Self.savedAt
        )
        #expect(SnapshotWriter.text(favorite) == nil)
        let stored = try FavoriteSnapshot.text(favorite)
        #expect(SnapshotReader.favorite(stored) == nil)
        #expect(try FavoriteSnapshot.favorite(stored) == favorite)
    }

    /// Cut anywhere, or with a byte more: no text of another form is taken for one of ours.
    @Test func theReaderRefusesEveryPartOfASnapshot() throws {
        let text = try FavoriteSnapshot.text(Favorite(character: Self.plain[4], savedAt: Self.savedAt))
        for length in 0..<text.count { #expect(SnapshotReader.favorite(String(text.prefix(length))) == nil) }
        #expect(SnapshotReader.favorite(text + "}") == nil)
        #expect(SnapshotReader.favorite(text.replacing("\"seconds\":1}", with: "\"seconds\":--1}")) == nil)
    }

    /// A property that a later program added is no reason to refuse a favorite.
    @Test func aSnapshotWithMoreInItIsReadByFoundation() throws {
        let favorite = Favorite(character: Self.plain[4], savedAt: Self.savedAt)
        let text = try FavoriteSnapshot.text(favorite).replacing("\"comics\":1", with: "\"color\":\"red\",\"comics\":1")
        #expect(SnapshotReader.favorite(text) == nil)
        #expect(try FavoriteSnapshot.favorite(text) == favorite)
    }
}
