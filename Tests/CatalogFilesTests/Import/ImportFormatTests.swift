internal import Foundation
internal import MarvelDomain
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

/// The formats of imports, recognized by their contents.
@Suite struct ImportFormatTests {
    private static let two = [json(1, "Ant"), json(2, "Bee")]

    @Test(arguments: [
        answer(json(1, "Ant"), json(2, "Bee")),
        "[\(answer(json(1, "Ant"))),\(answer(json(2, "Bee")))]",
        "[\n  \(answer(json(1, "Ant"))),\n  \(answer(json(2, "Bee")))\n]\n",
        "\(answer(json(1, "Ant")))\n\(answer(json(2, "Bee")))\n",
        "[\(two[0]), \(two[1])]", "\(two[0])\n\(two[1])", "\(two[0])\r\n\r\n\(two[1])\r\n", "\(two[0])\(two[1])",
        "\u{FEFF}\(two[0])\n\(two[1])", "  \n \(two[0])\n\(two[1])",
        #"{"offset":0,"results":[\#(two[0]),\#(two[1])]}"#,
        "{\n\"id\":\n1,\n\"name\":\n\"Ant\",\n\"urls\":\n[]\n}\n{\n\"id\": 2,\n\"name\": \"Bee\",\n\"comics\":\n{\n\"available\": 0\n}\n}",
        "[]\n[\(two[0])]\n[\(two[1])]",
    ])
    func savedAnswersAndCharactersAreImported(_ text: String) async throws {
        let imported = try await Imported(text)
        #expect(imported.characters.map(\.name) == ["Ant", "Bee"])
        #expect(imported.characters.map(\.id) == [1, 2])
        #expect(imported.problems == [])
    }

    @Test func placesOfAnswersAreRemembered() async throws {
        let text = """
            {"id":"7","name":"Ant &\\u00e9","description":"<b>Small</b>&hellip;","modified":"2014-04-29T14:18:17-0400",\
            "thumbnail":{"path":"http://i.annihil.us/u/1","extension":"jpg"},"comics":{"available":3,"items":[]},\
            "series":{"returned":2},"stories":null,"urls":[{"type":"wiki","url":"http://marvel.com/a?utm_source=key"}]}
            """
        let imported = try await Imported(answer(text, attribution: "By a test"))
        let expected = MarvelCharacter(
            id: 7,
            name: "Ant &é",
            description: "Small…",
            modified: Timestamp(seconds: 1_398_795_497),
            thumbnail: Thumbnail(path: "https://i.annihil.us/u/1", fileExtension: "jpg"),
            comicCount: 3,
            seriesCount: 2,
            urls: [CharacterURL(type: "wiki", url: "http://marvel.com/a")]
        )
        #expect(imported.characters == [expected])
        #expect(imported.origins == [CatalogOrigin(name: "file-0", attribution: "By a test", readAt: noon)])
    }

    @Test func aCharacterWithoutAPictureGetsAnEmblem() async throws {
        let imported = try await Imported(json(7, "Ant", #""thumbnail":null,"urls":[]"#))
        #expect(imported[7]?.thumbnail == Thumbnail(path: "emblem/7", fileExtension: "png"))
    }

    @Test func rowsOfWikiaAreImported() async throws {
        let imported = try await Imported(
            wikia(
                #"1,"Ant-Person (\""Tiny\"" Jo)",\/Ant-Person_(%22Tiny%22_Jo),Secret Identity,Good Characters,,,,,"#
                    + "Living Characters,40,Aug-62,1962",
                #"2,Mar\u00eda \ud83d\ude00 (Earth-616),\/Mar%C3%ADa,,Bad Characters,,,,,Deceased Characters,,,"#,
                "3,Gamma (Earth-1610),,,,,,,,,5,,1999"
            )
        )
        #expect(imported.problems == [])
        #expect(imported.characters.map(\.id) == [100_000_001, 100_000_002, 100_000_003])
        #expect(imported.characters.map(\.name) == [#"Ant-Person ("Tiny" Jo)"#, "María 😀", "Gamma (Earth-1610)"])
        #expect(imported.characters.map(\.comicCount) == [40, 0, 5])
        #expect(
            imported.characters.map(\.description) == [
                "Good character, secret identity. First appearance: August 1962.", "Bad character, deceased.",
                "First appearance: 1999.",
            ]
        )
        let page = "https://marvel.fandom.com/wiki/Ant-Person_(%22Tiny%22_Jo)"
        #expect(imported.characters[0].urls == [CharacterURL(type: "wiki", url: page)])
        #expect(imported.origins.map(\.attribution) == [ImportPreset.wikia.attribution])
    }

    @Test func superheroesAreFilteredByPublisher() async throws {
        let text = "[\(superhero(4, "Ant", fullName: "Jo Tiny")), \(superhero(5, "Bat", publisher: "Another"))]"
        let imported = try await Imported(text)
        #expect(imported.characters.map(\.id) == [200_000_004])
        #expect(imported.characters.map(\.description) == ["Full name: Jo Tiny. First appearance: Sample #1."])
        let image = CharacterURL(type: "image", url: "https://cdn.example/images/lg/4.jpg")
        #expect(imported.characters.first?.urls == [image])
        #expect(imported.report.inputs.map(\.otherPublisherCount) == [1])
        #expect(try await Imported(text, publisher: nil).characters.map(\.name) == ["Ant", "Bat"])
        #expect(try await Imported(text, publisher: "Another").characters.map(\.name) == ["Bat"])
    }

    /// Only an object of the API's form has Marvel's ids.
    @Test(arguments: [
        (#"{"id":7,"name":"Ant"}"#, false), (#"{"id":7,"name":"Ant","description":"Small."}"#, false),
        (#"{"id":7,"name":"Ant","thumbnail":"http://x/1.jpg"}"#, false), (#"{"id":7,"name":"Ant","comics":12}"#, false),
        (#"{"id":7,"name":"Ant","urls":[]}"#, true), (#"{"id":"7","name":"Ant","comics":{"available":1}}"#, true),
        (#"{"id":7,"name":"Ant","resourceURI":"http://gateway.marvel.com/v1/public/characters/7"}"#, true),
        (#"{"data":{"results":[{"id":7,"name":"Ant"}]}}"#, true),
    ])
    func onlyCharactersInTheFormOfTheAPIAreImported(_ text: String, _ isOfTheAPI: Bool) async throws {
        let imported = try await Imported(text)
        #expect(imported.characters.map(\.id) == (isOfTheAPI ? [7] : []))
        #expect(imported.problems.first?.contains("neither a response") == (isOfTheAPI ? nil : true))
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0], "format is not supported"), ([], "empty"), (Array(" \n".utf8), "empty"),
            (Array("Dear diary".utf8), "format is not supported"),
            (Array("id,name\n1,Ant\n".utf8), "format is not supported"),
            (Array("[]".utf8), "no characters"), (Array("{}".utf8), "neither a response"),
            (Array(#"{"code":409,"status":"limit"}"#.utf8), "error response of the API"),
            (Array(#"{"code":200,"data":{"results":[]}}"#.utf8), "no characters"),
            (Array(#"{"code":200,"data":null}"#.utf8), "expected form"),
            (Array("[1,2,\"x\"]".utf8), "not a JSON object"),
            (Array("SQLite format 3\0 and nothing".utf8), "not a catalog"),
            (Array("page_id,name,urlslug,ID,YEAR\n1,Bat,,,1939\n".utf8), "DC"),
        ] as [([UInt8], String)]
    )
    func unsupportedFieldsAreNamed(_ bytes: [UInt8], _ words: String) async throws {
        let imported = try await Imported([bytes])
        #expect(imported.report.catalog == nil)
        #expect(imported.problems.first?.hasPrefix("file-0") == true)
        #expect(imported.problems.contains { $0.contains(words) }, "\(imported.problems)")
    }

    @Test(arguments: [
        // Cut in a text, between values, behind a comma, and with brackets that do not match.
        (#"{"id":1,"name":"An"# + "\n" + json(2, "Bee"), 1),
        (#"{"id":1,"comics":{"available":3"# + "\n" + json(2, "Bee"), 1),
        (#"{"id":1,"# + "\n" + json(2, "Bee"), 1), (#"{"id":1,"urls":[}"# + "\n" + json(2, "Bee"), 1),
        (json(2, "Bee") + "\n" + #"{"id":1,"name":"#, 2), ("[" + json(2, "Bee") + ",\n", 2),
        (json(2, "Bee") + "\n}\n", 2), (json(2, "Bee") + "\n\n" + json(0, "Nil"), 3),
        (json(2, "Bee") + "\n" + json(3, " "), 2), (json(2, "Bee") + "\nnull", 2),
        (#"{"data":{"results":["Ant",\#(json(2, "Bee"))]}}"#, 1),
        (json(2, "Bee") + "\n" + String(repeating: #"{"a":"#, count: 40) + String(repeating: "}", count: 40), 2),
    ])
    func aBrokenLineIsSkipped(_ text: String, _ line: Int) async throws {
        let imported = try await Imported(text)
        #expect(imported.characters.map(\.name) == ["Bee"], "\(imported.problems)")
        #expect(imported.problems.first?.hasPrefix("file-0:\(line): ") == true, "\(imported.problems)")
    }

    @Test(arguments: [
        ("1,Ant", "it has 2 fields, the header has 13"), ("x,Ant,,,,,,,,,,,", "page_id"),
        ("0,Ant,,,,,,,,,,,", "page_id"),
        ("1,,,,,,,,,,,,", "no name"), (#"1,Ant\q,,,,,,,,,,,"#, "escape"), (#"1,Ant\ud83d,,,,,,,,,,,"#, "escape"),
        (#"1,"Ant,,,,,,,,,,,"#, "quotation mark"), (#"1,"Ant"x,,,,,,,,,,,"#, "quotation mark"),
    ])
    func aBrokenRowIsSkipped(_ row: String, _ words: String) async throws {
        let imported = try await Imported(wikia(row, "2,Bee,,,,,,,,,,,"))
        #expect(imported.characters.map(\.name) == ["Bee"])
        #expect(imported.problems.count == 1)
        #expect(imported.problems[0].hasPrefix("file-0:2: ") && imported.problems[0].contains(words))
    }

    @Test func theFirstTwentyProblemsAreReportedAndTheOthersCounted() async throws {
        let text = String(repeating: "{}\n", count: 50) + json(1, "Ant")
        let report = try await Imported(text).report
        #expect(report.problems.count == 20)
        #expect(report.problemCount == 50)
        #expect(report.recordCount == 1)
    }

    /// Longer than what is read at a time, so that values lie across its pieces.
    @Test func aLongFileIsReadWhole() async throws {
        let lines = (1...20_000).map { json(Int64($0), "Name \($0)") }
        let imported = try await Imported("[" + lines.joined(separator: ",\n") + "]")
        #expect(imported.characters.count == 20_000)
        #expect(imported.problems == [])
        #expect(imported[20_000]?.name == "Name 20000")
    }

    /// Whatever a file is made of, it is read to its end.
    @Test(arguments: 0..<100)
    func randomBytesAreReadToTheirEnd(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let letters = Array("{{}}[]\",:\\ a1\n".utf8)
        let noise = (0..<400).map { _ in letters.randomElement(using: &random) ?? 0 }
        try await withTemporaryFolder { folder in
            let path = try folder.write("noise", noise)
            var records = try RecordReader(path)
            var count = 0
            while try records.nextValue() != nil { count += 1 }
            #expect(count <= noise.count)
        }
    }

    /// Opening a named pipe waits for a writer, and there is none.
    @Test func onlyRegularFilesAreRead() async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.write("saved/ant", answer(json(1, "Ant")))
            try #require(mkfifo(folder.file("saved/pipe"), 0o600) == 0)
            let report = try CatalogImport(time: noon).run([folder.file("saved")], into: folder.file("catalog"))
            #expect(report.inputs.map(\.recordCount) == [1])
            #expect(report.problems == ["\(folder.file("saved"))/pipe: it cannot be read: it is not a regular file"])
        }
    }

    @Test func everyFileOfAFolderHasItsAttribution() async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.write("saved/1.json", superhero(1, "Ant"))
            _ = try folder.write("saved/2.jsonl", [json(1, "Bee"), json(2, "Cat")].joined(separator: "\n"))
            _ = try CatalogImport(time: noon).run([folder.file("saved")], into: folder.file("catalog"))
            let origins = try CatalogFileReader(folder.file("catalog")).description.origins
            #expect(
                origins.map(\.attribution) == [
                    ImportPreset.superheroAPI.attribution, GatewayCatalog.defaultAttribution,
                ]
            )
        }
    }

    @Test func aFolderIsReadWithAllFoldersInIt() async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.write("saved/page-2.json", answer(json(2, "Bee")))
            _ = try folder.write("saved/old/page-1.json", answer(json(1, "Ant")))
            _ = try folder.write("saved/README", "Words.")
            let report = try CatalogImport(time: noon).run([folder.file("saved")], into: folder.file("catalog"))
            #expect(report.inputs.map(\.recordCount) == [2])
            #expect(report.inputs.map(\.fileCount) == [3])
            #expect(
                report.problems == ["\(folder.file("saved"))/README: its format is not supported"]
            )
            #expect(try CatalogFileReader(folder.file("catalog")).characters().map(\.name) == ["Ant", "Bee"])
            #expect(try CatalogFileReader(folder.file("catalog")).description.origins.map(\.name) == ["saved"])
        }
    }
}
