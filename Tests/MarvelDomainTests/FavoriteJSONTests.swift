import Foundation
import MarvelDomain
import Testing

/// The JSON of favorites, as older versions wrote and read it by Foundation.
struct FavoriteJSONTests {
    private static let savedAt = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789)

    static let characters: [MarvelCharacter] = [
        MarvelCharacter(id: 1, name: ""),
        MarvelCharacter(id: .max, name: "에이 🕷 /", description: "no escape", comicCount: .min),
        MarvelCharacter(
            id: 1,
            name: "\"\\\n\r\t\u{8}\u{C}\u{0}\u{1F}",
            description: "\"",
            urls: [CharacterURL(type: "\\", url: "")]
        ),
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

    private func favorite(_ character: MarvelCharacter) -> Favorite {
        Favorite(character: character, savedAt: Self.savedAt)
    }

    private func text(_ favorite: Favorite) -> String {
        String(decoding: FavoriteJSON.utf8(favorite), as: UTF8.self)
    }

    /// The file has a line for each character, as Foundation wrote it: stores have these texts.
    @Test func theTextsAreThoseOfEarlierVersions() throws {
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Favorites.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines == Self.characters.map { text(favorite($0)) })
        for (line, character) in zip(lines, Self.characters) {
            #expect(try FavoriteJSON.favorite(line) == favorite(character))
            #expect(try FavoriteJSON.favorites("[\(line),\(line)]") == [favorite(character), favorite(character)])
        }
    }

    @Test func textsOfCharactersAndTimesThatAreKeptAreTheSame() {
        var texts = SavedCharacterTexts()
        for seconds in [0, 16, 0, -1, 15, 1_700_000_000] as [Int64] {
            for nanoseconds in [0, 5, 0] as [Int32] {
                for character in Self.characters {
                    let savedAt = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
                    let favorite = Favorite(character: character, savedAt: savedAt)
                    #expect(texts.utf8(favorite) == FavoriteJSON.utf8(favorite))
                }
            }
        }
    }

    /// Characters that a terminal would act on are escaped, which Foundation does not do.
    @Test func foundationReadsWhatOnlyWeEscape() throws {
        let favorite = favorite(MarvelCharacter(id: 1, name: "\u{7F}\u{9B}\u{2028}"))
        let text = text(favorite)
        #expect(text.utf8.count { $0 >= 0x7F } == 0)
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [String: Any]]
        #expect(read?["character"]?["name"] as? String == favorite.character.name)
    }

    @Test func membersComeInAnyOrderAndMayBeUnknown() throws {
        let text = #"""
            { "savedAt" : {"seconds":1700000000,"color":[{}],"nanoseconds":123456789}, "new": {"a":[null,"\\u0000"]},
              "character":{"urls":[],"name":"x","modified":null,"id":1,"comics":0,"events":0,"series":0,"stories":0,
              "description":"\u0061","thumbnail":null} }
            """#
        #expect(try FavoriteJSON.favorite(text) == favorite(MarvelCharacter(id: 1, name: "x", description: "a")))
    }

    @Test func everyPartOfATextIsRefused() {
        let text = text(favorite(Self.characters[5]))
        for length in 0..<text.count {
            #expect(throws: JSONError.self) { try FavoriteJSON.favorite(String(text.prefix(length))) }
        }
        #expect(throws: JSONError(.syntax(offset: text.utf8.count))) { try FavoriteJSON.favorite(text + "}") }
        #expect(throws: JSONError(.missing, field: "savedAt.seconds")) {
            try FavoriteJSON.favorite(text.replacing(#""seconds":1700000000"#, with: #""second":1"#))
        }
        #expect(throws: JSONError(.outOfRange, field: "character.comics")) {
            try FavoriteJSON.favorite(text.replacing(#""comics":1"#, with: #""comics":1e10"#))
        }
    }
}
