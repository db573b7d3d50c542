import Foundation
import MarvelDomain
import Testing

/// The JSON of favorites, compared with that of Foundation, by which older versions wrote and read it.
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

    @Test(arguments: characters) func theTextIsWhatFoundationWrites(_ character: MarvelCharacter) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let theirs = String(decoding: try encoder.encode(StoredFavorite(favorite(character))), as: UTF8.self)
        #expect(FavoriteJSON.text(favorite(character)) == theirs)
        #expect(try FavoriteJSON.favorite(theirs) == favorite(character))
        #expect(try FavoriteJSON.favorites("[\(theirs),\(theirs)]") == [favorite(character), favorite(character)])
    }

    /// Characters that a terminal would act on are escaped, which Foundation does not do.
    @Test func foundationReadsWhatOnlyWeEscape() throws {
        let favorite = favorite(MarvelCharacter(id: 1, name: "\u{7F}\u{9B}\u{2028}"))
        let text = FavoriteJSON.text(favorite)
        #expect(text.utf8.count { $0 >= 0x7F } == 0)
        let read = try JSONDecoder().decode(StoredFavorite.self, from: Data(text.utf8))
        #expect(read == StoredFavorite(favorite))
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
        let text = FavoriteJSON.text(favorite(Self.characters[5]))
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

/// The types by which Foundation made the JSON in older versions.
private struct StoredFavorite: Codable, Equatable {
    var character: Character
    var savedAt: Time

    struct Character: Codable, Equatable {
        var id: Int64
        var name: String
        var description: String
        var modified: Time?
        var thumbnail: Picture?
        var comics: Int32
        var series: Int32
        var stories: Int32
        var events: Int32
        var urls: [Page]
    }

    struct Time: Codable, Equatable {
        var seconds: Int64
        var nanoseconds: Int32

        init(_ time: Timestamp) { (seconds, nanoseconds) = (time.seconds, time.nanoseconds) }
    }

    struct Picture: Codable, Equatable {
        var path: String
        var fileExtension: String
    }

    struct Page: Codable, Equatable {
        var type: String
        var url: String
    }

    init(_ favorite: Favorite) {
        let character = favorite.character
        savedAt = Time(favorite.savedAt)
        self.character = Character(
            id: character.id,
            name: character.name,
            description: character.description,
            modified: character.modified.map(Time.init),
            thumbnail: character.thumbnail.map { Picture(path: $0.path, fileExtension: $0.fileExtension) },
            comics: character.comicCount,
            series: character.seriesCount,
            stories: character.storyCount,
            events: character.eventCount,
            urls: character.urls.map { Page(type: $0.type, url: $0.url) }
        )
    }
}
