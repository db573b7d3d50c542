internal import Catalog
internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

@Suite struct FollowedCatalogFileTests {
    private func follow(_ path: String) async throws -> FollowedCatalogFile {
        try await FollowedCatalogFile(path, otherPictures: DrawnPictures(), now: { Timestamp(seconds: 1) })
    }

    @Test func aFileThatWasReplacedIsServed() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            try makeCatalog(path, [thor])
            let file = try await follow(path)
            let served = file.catalog.catalog
            #expect(await file.check() == .unchanged)
            #expect(file.catalog.catalog === served)
            let origin = CatalogOrigin(name: "n", attribution: "Another source.", readAt: noon)
            try makeCatalog(path, [spider, thor], origins: [origin], replacing: true)
            guard case .replaced(let description) = await file.check() else {
                Issue.record("the new file was not seen")
                return
            }
            #expect(description.characterCount == 2)
            #expect(file.servedDescription == description)
            #expect(file.catalog.catalog.count == 2)
            #expect(file.catalog.attribution == "Another source.")
            #expect(await file.check() == .unchanged)
        }
    }

    @Test(arguments: ["", "no catalog at all", nil])
    func aBadNewFileIsReportedOnceAndTheOldOneStaysServed(_ contents: String?) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            try makeCatalog(path, [thor])
            let file = try await follow(path)
            try FileManager.default.removeItem(atPath: path)
            if let contents { _ = try folder.write("catalog", contents) }
            guard case .refused(let error) = await file.check() else {
                Issue.record("the bad file was not seen")
                return
            }
            #expect(error.description.contains(path))
            #expect(await file.check() == .unchanged)
            #expect(file.catalog.catalog.count == 1)

            try makeCatalog(path, [spider, thor], replacing: true)
            guard case .replaced = await file.check() else {
                Issue.record("the good file was not seen")
                return
            }
            #expect(file.catalog.catalog.count == 2)
        }
    }

    @Test func aGoodFileThatCouldNotBeReadIsTriedAgain() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            try makeCatalog(path, [thor])
            let file = try await follow(path)
            try makeCatalog(path, [spider, thor], replacing: true)
            let other = try Database(path, .undefended)
            try other.execute("BEGIN EXCLUSIVE")
            guard case .refused = await file.check() else {
                Issue.record("a locked file was read")
                return
            }
            #expect(await file.check() == .unchanged)
            try other.execute("ROLLBACK")
            guard case .replaced = await file.check() else {
                Issue.record("the file was not tried again")
                return
            }
            #expect(file.catalog.catalog.count == 2)
            #expect(await file.check() == .unchanged)
        }
    }

    @Test func picturesComeFromTheFileFirst() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            let drawn = MarvelCharacter(id: 7, name: "N", thumbnail: Thumbnail(path: "emblem/7", fileExtension: "png"))
            try makeCatalog(path, [drawn, thor])
            let file = try await follow(path)
            let emblem = try await file.pictures.picture(of: drawn, .standardSmall).picture
            #expect(emblem.mediaType == .png)
            await #expect(throws: PictureError.none) { try await file.pictures.picture(of: thor, .standardSmall) }

            let gif = Picture(bytes: Array("GIF89a...".utf8), mediaType: .gif)
            let writer = try CatalogFileWriter(path)
            try writer.write { batch in
                try batch.put(thor)
                try batch.put(gif, of: thor.id, .standardSmall)
            }
            try writer.finish(at: noon, replacing: true)
            guard case .replaced = await file.check() else {
                Issue.record("the new file was not seen")
                return
            }
            #expect(try await file.pictures.picture(of: thor, .standardSmall).picture == gif)
        }
    }
}
