internal import Catalog
internal import Foundation
internal import MarvelDomain
internal import Testing

@testable internal import CatalogFiles

@Suite struct ExportTests {
    private func text(_ characters: [MarvelCharacter], origins: [CatalogOrigin] = [marvel]) -> [UInt8] {
        var export = CatalogExport(origins: origins)
        return characters.reduce(into: []) { $0 += export.line($1) }
    }

    @Test func aLineIsACharacterOfTheAPI() throws {
        let lines = String(decoding: text([spider, thor]), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines[1] == """
                {"id":1009664,"name":"Thor","description":"","modified":"1969-12-31T19:00:00-0500","thumbnail":null,\
                "resourceURI":"http://gateway.marvel.com/v1/public/characters/1009664",\
                "comics":{"available":0,\
                "collectionURI":"http://gateway.marvel.com/v1/public/characters/1009664/comics","items":[],"returned":0},\
                "series":{"available":0,\
                "collectionURI":"http://gateway.marvel.com/v1/public/characters/1009664/series","items":[],"returned":0},\
                "stories":{"available":0,\
                "collectionURI":"http://gateway.marvel.com/v1/public/characters/1009664/stories","items":[],"returned":0},\
                "events":{"available":0,\
                "collectionURI":"http://gateway.marvel.com/v1/public/characters/1009664/events","items":[],"returned":0},\
                "urls":[]}
                """
        )
    }

    /// Whatever a catalog can hold: texts that look like HTML, or like UTF-8 that was decoded twice, among them.
    @Test(arguments: 0..<20)
    func everyCatalogSurvivesExportAndImport(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let characters = (1...50).map { MarvelCharacter.random(id: Int64($0) * 7_919, &random) }
        let origins = (0..<3).map { CatalogOrigin(name: "n\($0)", attribution: "Line \($0) “é”", readAt: noon) }
        let imported = try await Imported([text(characters, origins: origins)])
        for (before, after) in zip(characters, imported.characters) { #expect(after == before) }
        #expect(imported.characters.count == characters.count)
        #expect(imported.origins == origins)
    }

    @Test(arguments: ["-wal", ".witness", ".lock"]) func aFileOfAStoreIsNotReplaced(_ suffix: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("store")
            for suffix in ["", suffix] { try Data("store".utf8).write(to: URL(filePath: path + suffix)) }
            let error = #expect(throws: CatalogFileError.self) { try ExportFile(path + suffix, replacing: true) }
            #expect("\(try #require(error))".contains("is a file of the store"))
            #expect(FileManager.default.contents(atPath: path + suffix) == Data("store".utf8))
        }
    }

    @Test func aFileAppearsOnlyWhenItIsComplete() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("export.jsonl")
            let file = try ExportFile(path, replacing: false)
            try file.write(text([spider]))
            #expect(try !folder.names.contains("export.jsonl"))
            try file.finish()
            #expect(try folder.names == ["export.jsonl"])
            #expect(throws: CatalogFileError.self) { try ExportFile(path, replacing: false) }

            let again = try ExportFile(path, replacing: true)
            try again.write(text([thor]))
            again.discard()
            #expect(FileManager.default.contents(atPath: path) == Data(text([spider])))
            #expect(try folder.names == ["export.jsonl"])
        }
    }
}

extension MarvelCharacter {
    private static let words = [
        "spider", "&amp;", "&", "<", "<b>", "</p>", "&lt;", "Ã©", "â€™", "é", "’", "\"", "\\", "/", "1 < 2", "😀", "에이",
        "e\u{301}", "&#65;", "\u{2028}", "ß", "Araña", "{", "]", "\u{FEFF}",
    ]

    /// One that a catalog can hold: texts in the form that `PlainText` leaves, and a picture.
    fileprivate static func random(id: Int64, _ random: inout SplitMix64) -> MarvelCharacter {
        func text(_ count: ClosedRange<Int>) -> String {
            let count = Int.random(in: count, using: &random)
            let picked = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
            let joined = picked.joined(separator: Bool.random(using: &random) ? " " : "")
            return joined.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        var character = MarvelCharacter(id: id, name: "N" + text(0...4), description: text(0...6))
        if Bool.random(using: &random) {
            character.modified = Timestamp(seconds: .random(in: -10_000_000_000...10_000_000_000, using: &random))
        }
        character.thumbnail =
            Bool.random(using: &random)
            ? .emblem(of: id) : Thumbnail(path: "https://i.annihil.us/u/\(id)", fileExtension: "png")
        character.comicCount = .random(in: 0...(.max), using: &random)
        character.eventCount = .random(in: 0...3, using: &random)
        character.urls = (0..<Int.random(in: 0...3, using: &random)).map { number in
            CharacterURL(type: "type\(number)", url: "http://marvel.com/\(number)?a=&b=\(id)")
        }
        return character
    }
}
