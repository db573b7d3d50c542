internal import Catalog
internal import Foundation
internal import MarvelDomain
internal import Testing
internal import WireMessages

@testable internal import CatalogFiles

@Suite struct CatalogFileTests {
    @Test func writtenValuesAreRead() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("catalog"))
            let reader = try CatalogFileReader(folder.file("catalog"))
            #expect(try reader.characters() == [spider, thor])
            #expect(reader.description.characterCount == 2)
            #expect(reader.description.origins == [marvel])
            #expect(reader.description.madeAt == noon)
            #expect(try folder.names == ["catalog"])
        }
    }

    @Test func eachSourceIsAttributedOnce() {
        func origin(_ attribution: String) -> CatalogOrigin {
            CatalogOrigin(name: "n", attribution: attribution, readAt: noon)
        }
        let description = CatalogDescription(
            characterCount: 0,
            pictureCount: 0,
            documentCount: 0,
            origins: [origin("Data by A."), origin(""), origin("Data by B."), origin("Data by A.")],
            madeAt: noon
        )
        #expect(description.attribution == "Data by A. Data by B.")
    }

    @Test func aRepeatedCharacterReplacesTheFirst() async throws {
        try await withTemporaryFolder { folder in
            var changed = thor
            changed.description = "God of thunder."
            try makeCatalog(folder.file("catalog"), [thor, spider, changed])
            #expect(try CatalogFileReader(folder.file("catalog")).characters() == [spider, changed])
        }
    }

    @Test func picturesAreKeptByCharacterAndVariant() async throws {
        try await withTemporaryFolder { folder in
            let png = Picture(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], mediaType: .png)
            let gif = Picture(bytes: Array("GIF89a?".utf8), mediaType: .gif, isPlaceholder: true)
            let writer = try CatalogFileWriter(folder.file("catalog"))
            try writer.write { batch in
                try batch.put(thor)
                try batch.put(png, of: thor.id, .full)
                try batch.put(gif, of: thor.id, .standardLarge)
                #expect(try batch.variants(of: thor.id) == [.full, .standardLarge])
            }
            try writer.finish(at: noon, replacing: false)
            let reader = try CatalogFileReader(folder.file("catalog"))
            #expect(reader.description.pictureCount == 2)
            #expect(try await reader.picture(of: thor.id, .full) == png)
            #expect(try await reader.picture(of: thor.id, .standardLarge) == gif)
            #expect(try await reader.picture(of: thor.id, .detail) == nil)
            #expect(try await reader.picture(of: spider.id, .full) == nil)
        }
    }

    @Test func filesOfAKilledProgramAreDeleted() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("other.partial-3"), [spider])
            _ = try folder.write("other.partial-3-journal", "its log")
            _ = try folder.write("catalog.partial-4", "")
            let others = ["catalog.partial-5", "catalog.tmp"]
            for name in others { _ = try folder.write(name, "notes") }
            try makeCatalog(folder.file("catalog"), [thor])
            #expect(try folder.names == ["catalog"] + others, "other files stay")
            #expect(try CatalogFileReader(folder.file("catalog")).characters() == [thor])
        }
    }

    @Test func aFileIsReplacedOnlyIfAsked() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            try makeCatalog(path, [thor])
            let error = #expect(throws: CatalogFileError.self) { try makeCatalog(path, [spider]) }
            #expect(error?.description.contains("already exists") == true)
            #expect(try CatalogFileReader(path).characters() == [thor])

            let old = try CatalogFileReader(path)
            try makeCatalog(path, [spider], replacing: true)
            #expect(try CatalogFileReader(path).characters() == [spider])
            #expect(try old.characters() == [thor], "readers of the old file continue")
        }
    }

    @Test func theTargetOfALinkIsReplaced() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("real"), [thor])
            try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "real")
            try makeCatalog(folder.file("link"), [spider], replacing: true)
            #expect(try CatalogFileReader(folder.file("real")).characters() == [spider])
            #expect(try folder.names == ["link", "real"])
        }
    }

    @Test func aLoadedFileIsSearchedAsEveryCatalog() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("catalog"))
            let catalog = try await CatalogFileReader(folder.file("catalog")).load()
            #expect(catalog.count == 2)
            #expect(catalog.kind == .file)
            #expect(catalog.attribution == marvel.attribution)
            guard case .ready(let entry) = catalog.character(id: spider.id) else { throw CancellationError() }
            #expect(entry?.character == spider)
            #expect(entry?.provenance.freshness.source == .file)
        }
    }
}
