internal import Foundation
internal import MarvelDomain

@testable internal import CatalogFiles

/// Imports texts, each as a file of its own, and tells what came of it.
struct Imported {
    let report: ImportReport
    /// The characters in the order of their ids; empty if no catalog was made.
    let characters: [MarvelCharacter]
    let origins: [CatalogOrigin]

    init(_ texts: String..., publisher: String? = "Marvel Comics") async throws {
        try await self.init(texts.map { Array($0.utf8) }, publisher: publisher)
    }

    init(_ files: [[UInt8]], publisher: String? = "Marvel Comics") async throws {
        self = try await withTemporaryFolder { folder in
            let paths = try files.enumerated().map { number, bytes in try folder.write("file-\(number)", bytes) }
            var settings = CatalogImport(time: noon)
            settings.publisher = publisher
            let report = try settings.run(paths, into: folder.file("catalog"))
            guard report.catalog != nil else { return Imported(report: report, characters: [], origins: []) }
            let reader = try CatalogFileReader(folder.file("catalog"))
            return Imported(
                report: report,
                characters: try reader.characters(),
                origins: reader.description.origins
            )
        }
    }

    private init(report: ImportReport, characters: [MarvelCharacter], origins: [CatalogOrigin]) {
        self.report = report
        self.characters = characters
        self.origins = origins
    }

    /// The problems without the folder that no two runs share.
    var problems: [String] { report.problems.map { URL(filePath: $0).lastPathComponent } }

    subscript(id: Int64) -> MarvelCharacter? { characters.first { $0.id == id } }
}

/// A character in the form of the API, with what is given in place of the usual.
func json(_ id: Int64, _ name: String, _ more: String = #""description":"","urls":[]"#) -> String {
    #"{"id":\#(id),"name":"\#(name)",\#(more)}"#
}

/// An answer of the API with these characters.
func answer(_ characters: String..., attribution: String = "Data provided by Marvel. © 2014 MARVEL") -> String {
    """
    {"code":200,"status":"Ok","attributionText":"\(attribution)","etag":"f0","data":{"offset":0,"limit":20,\
    "total":\(characters.count),"count":\(characters.count),"results":[\(characters.joined(separator: ","))]}}
    """
}

/// A file of FiveThirtyEight's with these rows.
func wikia(_ rows: String...) -> String {
    let header = "page_id,name,urlslug,ID,ALIGN,EYE,HAIR,SEX,GSM,ALIVE,APPEARANCES,FIRST APPEARANCE,Year"
    return ([header] + rows).joined(separator: "\n") + "\n"
}

/// A character of superhero-api.
func superhero(_ id: Int, _ name: String, fullName: String = "", publisher: String = "Marvel Comics") -> String {
    """
    {"id":\(id),"name":"\(name)","slug":"s","powerstats":{"combat":1},"biography":{"fullName":"\(fullName)",\
    "aliases":["-"],"firstAppearance":"Sample #1","publisher":"\(publisher)"},"work":{"occupation":"-","base":"-"},\
    "images":{"lg":"https://cdn.example/images/lg/\(id).jpg"}}
    """
}
