import Testing

@testable import MarvelDomain

@Suite struct EditProblemTests {
    private static func url(_ type: String = "wiki", _ url: String = "https://w") -> CharacterURL {
        CharacterURL(type: type, url: url)
    }

    @Test(arguments: [
        CharacterEdit(),
        CharacterEdit(name: "스", description: "", comicCount: 0, urls: []),
        CharacterEdit(name: String(repeating: "👩‍🚀", count: 200), description: String(repeating: "é", count: 5_000)),
        // Joiners where writing needs them, and the selectors of forms.
        CharacterEdit(name: "می‌خواهم"), CharacterEdit(name: "ക്‍"), CharacterEdit(name: "🕷️-Man 👩🏽‍❤️‍👩"),
        CharacterEdit(name: "🏳️‍🌈", description: "soft\u{AD}hyphen"),
        CharacterEdit(name: String(repeating: "한", count: 200), description: String(repeating: "한", count: 5_000)),
        CharacterEdit(comicCount: .max, seriesCount: .max, storyCount: .max, eventCount: .max),
        CharacterEdit(urls: Array(repeating: url("a-b_9", "http://x"), count: 20)),
        CharacterEdit(urls: [url("detail", "https://" + String(repeating: "x", count: 2_040))]),
    ])
    func validEditsHaveNoProblem(edit: CharacterEdit) {
        #expect(edit.problems.isEmpty)
    }

    @Test(arguments: [
        (CharacterEdit(name: ""), ["name"]),
        (CharacterEdit(name: String(repeating: "x", count: 201)), ["name"]),
        (CharacterEdit(name: " x"), ["name"]),
        (CharacterEdit(name: "x\u{3000}"), ["name"]),
        (CharacterEdit(name: "a\u{0}b"), ["name"]),
        (CharacterEdit(name: "a\u{1B}[2Jb"), ["name"]),
        (CharacterEdit(name: " \n"), ["name", "name"]),
        (CharacterEdit(description: String(repeating: "x", count: 5_001)), ["description"]),
        (CharacterEdit(description: "two\nlines"), ["description"]),
        (CharacterEdit(description: "two\u{2028}lines"), ["description"]),
        (CharacterEdit(comicCount: -1), ["comic_count"]),
        (
            CharacterEdit(seriesCount: -1, storyCount: -2, eventCount: .min),
            ["series_count", "story_count", "event_count"]
        ),
        (CharacterEdit(urls: Array(repeating: url(), count: 21)), ["urls"]),
        (CharacterEdit(urls: [url(), url("")]), ["urls[1].type"]),
        (CharacterEdit(urls: [url("Wiki")]), ["urls[0].type"]),
        (CharacterEdit(urls: [url(String(repeating: "x", count: 33))]), ["urls[0].type"]),
        (CharacterEdit(urls: [url("wiki", "https://")]), ["urls[0].url"]),
        (CharacterEdit(urls: [url("wiki", "javascript:alert(1)")]), ["urls[0].url"]),
        (CharacterEdit(urls: [url("wiki", "http://a b")]), ["urls[0].url"]),
        (CharacterEdit(urls: [url("wiki", "http://é")]), ["urls[0].url"]),
        (CharacterEdit(urls: [url("wiki", "https://" + String(repeating: "x", count: 2_041))]), ["urls[0].url"]),
        // One letter of many code points, and letters of many bytes.
        (CharacterEdit(name: "e" + String(repeating: "\u{301}", count: 800)), ["name"]),
        (CharacterEdit(name: String(repeating: "👩‍👩‍👧‍👦", count: 200)), ["name"]),
        (
            CharacterEdit(
                description: String(repeating: "x", count: 1_000) + String(repeating: "\u{301}", count: 6_900)
            ), ["description"]
        ),
        (CharacterEdit(description: String(repeating: "e\u{301}\u{301}", count: 3_400)), ["description"]),
        (CharacterEdit(description: String(repeating: "😀", count: 4_000)), ["description"]),
        (
            CharacterEdit(urls: (1...7).map { _ in url("wiki", "https://" + String(repeating: "x", count: 2_000)) }),
            ["urls"]
        ),
        // Invisible characters, and characters that reverse the text after them.
        (CharacterEdit(name: "Hulk\u{202E}gpj"), ["name"]), (CharacterEdit(name: "Hu\u{200B}lk"), ["name"]),
        (CharacterEdit(name: "\u{FEFF}Hulk"), ["name"]), (CharacterEdit(name: "Hulk\u{2060}"), ["name"]),
        (CharacterEdit(name: "Hu\u{AD}lk"), ["name"]), (CharacterEdit(name: "Hulk\u{E0041}"), ["name"]),
        (CharacterEdit(name: "\u{3164}"), ["name"]),
        (CharacterEdit(name: "\u{200D}"), ["name"]),
        (CharacterEdit(name: "\u{2067}Hulk"), ["name"]), (CharacterEdit(description: "a\u{202E}b"), ["description"]),
        (CharacterEdit(description: "\u{FEFF}a"), ["description"]),
        // Everything at once.
        (
            CharacterEdit(name: "", description: "\t", comicCount: -1, urls: [url("", "")]),
            ["name", "description", "comic_count", "urls[0].type", "urls[0].url"]
        ),
    ])
    func allRuleViolationsAreReported(edit: CharacterEdit, fields: [String]) {
        #expect(edit.problems.map(\.field) == fields)
    }

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]

    @Test(arguments: [
        (png, "", PictureType.png), (png, "image/png", .png), ([0xFF, 0xD8, 0xFF, 0xE0], "", .jpeg),
        (Array("GIF89a..".utf8), "image/gif", .gif),
    ])
    func thePictureTypeComesFromItsBytes(bytes: [UInt8], mediaType: String, type: PictureType) throws {
        let picture = try Picture(edit: bytes, mediaType: mediaType)
        #expect(picture == Picture(bytes: bytes, mediaType: type))
    }

    @Test(arguments: [
        ([], "", "picture.data"), (Array("<svg/>".utf8), "image/png", "picture.data"),
        (png, "image/jpeg", "picture.media_type"), (png, "IMAGE/PNG", "picture.media_type"),
    ])
    func invalidDataAndOtherPictureTypesAreRefused(bytes: [UInt8], mediaType: String, field: String) {
        let problem = #expect(throws: EditProblem.self) { try Picture(edit: bytes, mediaType: mediaType) }
        #expect(problem?.field == field)
    }
}
