internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

/// Comics, creators, events, series and stories: saved as they are, found by what they name.
@Suite struct DocumentImportTests {
    private static func uri(_ path: String) -> String { "http://gateway.marvel.com/v1/public/\(path)" }

    private static func summary(_ path: String, _ name: String, _ more: String = "") -> String {
        #"{"resourceURI":"\#(uri(path))","name":"\#(name)"\#(more)}"#
    }

    private static func comic(_ id: Int, _ title: String, number: Int = 1, _ more: String = "") -> String {
        #"{"id":\#(id),"title":"\#(title)","issueNumber":\#(number),"prices":[{"price":3.990}],"#
            + #""dates":[{"type":"onsaleDate","date":"2014-0\#(id)-01T00:00:00-0500"},7],"#
            + #""resourceURI":"\#(uri("comics/\(id)"))"\#(more)}"#
    }

    /// Imports texts, each as a file of its own, and opens the catalog.
    private func importing(
        _ texts: String...,
        then body: (ImportReport, CatalogFileReader, _ folder: URL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let paths = try texts.enumerated().map { number, text in try folder.write("file-\(number)", text) }
            let report = try CatalogImport(time: noon).run(paths, into: folder.file("catalog"))
            try await body(report, CatalogFileReader(folder.file("catalog")), folder)
        }
    }

    /// Expects these titles of the comics that fulfil the filters, in the order of titles.
    private static func expect(
        _ titles: [String],
        in reader: CatalogFileReader,
        _ filters: [DocumentQuery.Filter]
    ) throws {
        let order = [DocumentQuery.Order(field: "title", isDescending: false)]
        let page = try reader.page(DocumentQuery(kind: .comics, filters: filters, order: order))
        let found = page.documents.compactMap { $0.firstMatch(of: /"title":"([^"]*)"/).map { String($0.output.1) } }
        #expect(found == titles)
        #expect(page.total == titles.count)
    }

    @Test(arguments: [
        answer(comic(1, "A"), comic(2, "B")), #"{"offset":0,"results":[\#(comic(1, "A")),\#(comic(2, "B"))]}"#,
        "\(comic(1, "A"))\n\(comic(2, "B"))\n", "[\(answer(comic(1, "A"))),\(comic(2, "B"))]",
    ])
    func savedDocumentsAreImported(_ text: String) async throws {
        try await importing(text) { report, reader, _ in
            #expect((report.documentCount, report.recordCount, report.problems) == (2, 0, []))
            #expect((reader.documentCount, reader.description.characterCount) == (2, 0))
            try Self.expect(["A", "B"], in: reader, [])
            #expect(reader.attribution.contains("Marvel"))
        }
    }

    @Test func onlyTheKeyOfTheReaderIsRemovedFromADocument() async throws {
        let urls = #","urls":[{"url":"http://m/?utm_source=KEY&x=1"},{"url":"http://m/?utm_source=KEY#a"}]"#
        let pretty = Self.comic(1, "Caf\\u00e9 \\/ ü", urls).replacing(",", with: ",\n  ")
        try await importing(pretty) { _, reader, _ in
            let documents = try reader.page(DocumentQuery(kind: .comics, filters: [.id(1)])).documents
            let expected = Self.comic(1, "Caf\\u00e9 \\/ ü", urls).replacing("KEY", with: "")
            #expect(documents == [expected])
        }
    }

    @Test func ofTwoDocumentsTheFirstIsKept() async throws {
        try await importing(answer(Self.comic(1, "First")), answer(Self.comic(1, "Second"))) { report, reader, _ in
            #expect((report.inputs[1].documentCount, report.inputs[1].knownDocumentCount) == (0, 1))
            #expect(report.problems == [])
            try Self.expect(["First"], in: reader, [])
        }
    }

    @Test func storageFailuresAreReported() async throws {
        let uri = Self.uri("comics/5")
        let large = Self.comic(1, String(repeating: "x", count: SavedResource.maximumByteCount))
        try await importing(
            answer(
                large,
                #"{"title":"x","resourceURI":"\#(uri)"}"#,
                #"{"id":{},"resourceURI":"\#(uri)"}"#,
                "7",
                Self.comic(2, "B")
            )
                + "\n{\"id\":1,\"resourceURI\":[}\n" + Self.comic(3, "C")
        ) { report, reader, _ in
            let reasons = report.problems.map { $0.split(separator: ": ").dropFirst().joined(separator: ": ") }
            #expect(
                reasons == [
                    "a document has more than 65536 bytes", "a document has no id above 0",
                    "a document has no id above 0",
                    "a character has no name, or no id above 0; or the text is not UTF-8", "its brackets do not match",

                ]
            )
            try Self.expect(["B", "C"], in: reader, [])
        }
    }

    @Test func documentsAreFoundByLinksInBothDirections() async throws {
        let hero = Self.summary("characters/7", "Ant")
        let linked =
            #","characters":{"items":[\#(hero),null,"x",{"resourceURI":5}]},"#
            + #""series":\#(Self.summary("series/4", "S")),"creators":{"items":\#(hero)}"#
        let cover = Self.summary("stories/9", "Cover", #","type":"cover""#)
        let ant = json(
            7,
            "Ant",
            #""resourceURI":"\#(Self.uri("characters/7"))","comics":{"available":2,"items":["#
                + Self.summary("comics/2", "B") + #"]},"stories":{"items":[\#(cover)]}"#
        )
        try await importing(answer(Self.comic(1, "A", linked), Self.comic(2, "B"), Self.comic(3, "C")), answer(ant)) {
            _,
            reader,
            _ in
            try Self.expect(["A", "B"], in: reader, [.linked(to: .characters, [7])])
            try Self.expect(["A"], in: reader, [.linked(to: .characters, [7]), .linked(to: .series, [3, 4])])
            #expect(try reader.characters(linkedTo: .comics, [1, 3]) == [7])
            let comics = [
                ResourceSummary(id: ResourceID(.comics, 1), name: "A"),
                ResourceSummary(id: ResourceID(.comics, 2), name: "B"),
            ]
            #expect(try reader.list(of: .comics, character: 7) == ResourceList(available: 2, items: comics))
            let stories = [ResourceSummary(id: ResourceID(.stories, 9), name: "Cover", type: "cover")]
            #expect(try reader.list(of: .stories, character: 7) == ResourceList(available: 1, items: stories))
            #expect(
                try (reader.contains(ResourceID(.series, 4)), reader.contains(ResourceID(.events, 4))) == (true, false)
            )
        }
    }

    @Test func documentsAreFilteredAndSortedByTheirFields() async throws {
        let modified = #","modified":"2014-04-29T14:18:17-0400""#
        let comics = [
            Self.comic(1, "b 10%", number: 10, modified), Self.comic(2, "B 2", number: 2),
            Self.comic(3, "Á", number: 2),
        ]
        try await importing(comics.joined(separator: "\n")) { _, reader, _ in
            func ids(_ order: (String, Bool)..., limit: Int = 20, offset: Int = 0) throws -> [Substring] {
                let order = order.map { DocumentQuery.Order(field: $0.0, isDescending: $0.1) }
                let query = DocumentQuery(kind: .comics, filters: [], order: order, limit: limit, offset: offset)
                let page = try reader.page(query)
                #expect(page.total == 3)
                return page.documents.compactMap { $0.firstMatch(of: /"id":(\d+)/)?.output.1 }
            }
            #expect(try ids(("title", false)) == ["3", "1", "2"])
            #expect(try ids(("issueNumber", false), ("title", true)) == ["2", "3", "1"])
            #expect(try ids(("onsaleDate", true)) == ["3", "2", "1"])
            #expect(try ids(("none", true)) == ["1", "2", "3"])
            #expect(try ids(limit: 1, offset: 1) == ["2"])
            #expect(try ids(offset: .max) == [])
            try Self.expect(["b 10%", "B 2"], in: reader, [.startsWith(field: "title", "B ")])
            try Self.expect([], in: reader, [.startsWith(field: "title", "%")])
            try Self.expect(["Á", "B 2"], in: reader, [.equals(field: "issueNumber", "2")])
            try Self.expect(["B 2"], in: reader, [.equals(field: "title", "b 2")])
            for text in ["a", "á", "Á"] {
                try Self.expect(["Á"], in: reader, [.equals(field: "title", text)])
                try Self.expect(["Á"], in: reader, [.startsWith(field: "title", text)])
            }
            let moment = Timestamp(seconds: 1_398_795_497)
            try Self.expect(["b 10%"], in: reader, [.modifiedSince(moment)])
            try Self.expect([], in: reader, [.modifiedSince(Timestamp(seconds: moment.seconds + 1))])
        }
    }

    @Test func unexpectedValuesAreKeptAndSorted() async throws {
        let values = [
            "5", "null", "[1]", #"{"a":1}"#, "true", #""\ud800""#, #""a\u0000b""#, "1e999", "-0", "9223372036854775808",
        ]
        let documents = values.enumerated().map { number, value in
            #"{"id":\#(number + 1),"title":\#(value),"dates":\#(value),"resourceURI":"\#(Self.uri("comics/1"))"}"#
        }
        try await importing(answer(documents[0]), documents.joined(separator: "\n")) { report, reader, _ in
            #expect((report.problems, reader.documentCount) == ([], values.count))
            let order = [DocumentQuery.Order(field: "title", isDescending: true)]
            let page = try reader.page(DocumentQuery(kind: .comics, filters: [], order: order))
            #expect(page.documents.sorted() == documents.sorted())
        }
    }

    @Test func anImportOfACatalogKeepsItsDocumentsAndLinks() async throws {
        let ant = json(
            7,
            "Ant",
            #""resourceURI":"\#(Self.uri("characters/7"))","events":{"items":[\#(Self.summary("events/6", "E"))]}"#
        )
        let linked = #","characters":{"items":[\#(Self.summary("characters/7", "Ant"))]}"#
        try await importing(answer(ant), answer(Self.comic(1, "A", linked))) { _, old, folder in
            let report = try CatalogImport(time: noon).run([folder.file("catalog")], into: folder.file("copy"))
            let copy = try CatalogFileReader(folder.file("copy"))
            #expect((report.problems, report.documentCount, copy.documentCount) == ([], 1, 1))
            for kind in [ResourceKind.comics, .events] {
                #expect(try copy.list(of: kind, character: 7) == old.list(of: kind, character: 7))
                #expect(try copy.list(of: kind, character: 7).items.count == 1)
            }
        }
    }

    @Test func aCatalogOfAnOlderVersionHasNoDocuments() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("old"))
            try Self.execute(
                "DROP TABLE documents; DROP TABLE links; ALTER TABLE finished DROP COLUMN document_count; PRAGMA user_version = 1",
                folder.file("old")
            )
            let old = try CatalogFileReader(folder.file("old"))
            #expect(try old.characters() == [spider, thor])
            #expect(try old.page(DocumentQuery(kind: .comics, filters: [])) == DocumentPage(total: 0, documents: []))
            #expect(try old.list(of: .comics, character: spider.id).items == [])
            #expect(try (old.contains(ResourceID(.comics, 1)), old.characters(linkedTo: .comics, [1])) == (false, []))
            let new = folder.file("new")
            #expect(try CatalogImport(time: noon).run([folder.file("old")], into: new).recordCount == 2)
            #expect(try CatalogFileReader(new).characters().map(\.name) == [spider.name, thor.name])
        }
    }

    @Test(arguments: [
        "UPDATE documents SET document = '{'", "UPDATE documents SET document = '[]'",
        "UPDATE documents SET document = json_object('x', hex(zeroblob(40000)))",
        "UPDATE documents SET fields = 'x'",
    ])
    func aDamagedDocumentIsAnErrorAndNeverSent(_ sql: String) async throws {
        try await importing(Self.comic(1, "A")) { _, _, folder in
            try Self.execute(sql, folder.file("catalog"))
            let reader = try CatalogFileReader(folder.file("catalog"))
            let order = [DocumentQuery.Order(field: "title", isDescending: false)]
            let error = #expect(throws: CatalogFileError.self) {
                try reader.page(DocumentQuery(kind: .comics, filters: [.equals(field: "title", "A")], order: order))
            }
            if sql.contains("fields") { #expect(error?.description.contains("damaged") == true) }
            #expect(throws: CatalogFileError.self) {
                try reader.page(DocumentQuery(kind: .comics, filters: [], order: order))
            }
        }
    }

    private static func execute(_ sql: String, _ path: String) throws {
        try Database(path, .undefended).execute(sql)
    }
}
