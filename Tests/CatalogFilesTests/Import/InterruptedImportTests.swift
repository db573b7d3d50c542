internal import ChildProcesses
internal import Foundation
internal import MarvelDomain
internal import Testing

@testable internal import CatalogFiles

/// An import that does not finish leaves the old file unchanged, and no other file.
@Suite struct InterruptedImportTests {
    private static let many = (1...5_000).map { json(Int64($0), "Name \($0)") }.joined(separator: "\n")

    @Test func aStoppedImportLeavesTheOldCatalog() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("catalog"), [thor])
            let input = try folder.write("many", Self.many)
            var settings = CatalogImport(time: noon)
            settings.isReplacing = true
            // There are 5,000 records. The import ends while they are read, after that, or while they are written.
            for step in 1...12 {
                var count = 0
                #expect(throws: CancellationError.self) {
                    try settings.run([input], into: folder.file("catalog")) {
                        count += 1
                        if count == step { throw CancellationError() }
                    }
                }
                #expect(try CatalogFileReader(folder.file("catalog")).characters() == [thor])
                #expect(try folder.names == ["catalog", "many"])
            }
        }
    }

    @Test func aCatalogIsReplacedOnlyIfAsked() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("catalog"), [thor])
            let input = try folder.write("one", json(1, "Ant"))
            let error = #expect(throws: CatalogFileError.self) {
                try CatalogImport(time: noon).run([input], into: folder.file("catalog"))
            }
            #expect(error?.description.contains("already exists") == true)
            #expect(try CatalogFileReader(folder.file("catalog")).characters() == [thor])
        }
    }

    @Test func aMissingInputIsReportedBeforeTheImport() async throws {
        try await withTemporaryFolder { folder in
            let input = try folder.write("one", json(1, "Ant"))
            let error = #expect(throws: CatalogFileError.self) {
                try CatalogImport(time: noon).run([input, folder.file("two")], into: folder.file("catalog"))
            }
            #expect(error?.description.contains("two cannot be read") == true)
            #expect(try folder.names == ["one"])
        }
    }

    @Test func aMissingFolderIsNamed() async throws {
        try await withTemporaryFolder { folder in
            let input = try folder.write("one", json(1, "Ant"))
            let error = #expect(throws: CatalogFileError.self) {
                try CatalogImport(time: noon).run([input], into: folder.file("none/catalog"))
            }
            #expect(error?.description.contains("none/catalog: No such file") == true)
        }
    }

    /// A catalog that breaks off in the middle is not taken by half.
    @Test func aDamagedCatalogAmongTheFilesEndsTheImport() async throws {
        try await withTemporaryFolder { folder in
            let characters = (1...2_000).map { MarvelCharacter(id: $0, name: "Name \($0)") }
            try makeCatalog(folder.file("old"), characters)
            let file = try FileHandle(forUpdating: URL(filePath: folder.file("old")))
            try file.seek(toOffset: 8 * 4096)
            try file.write(contentsOf: [UInt8](repeating: 0xA5, count: 4096 * 4))
            try file.close()
            let error = #expect(throws: CatalogFileError.self) {
                try CatalogImport(time: noon).run([folder.file("old")], into: folder.file("catalog"))
            }
            #expect(error?.description.contains("is damaged") == true)
            #expect(try folder.names == ["old"])
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable), arguments: [64, 128, 256])
    func aFullDiskLeavesTheOldCatalog(_ kibibytes: Int) async throws {
        try await withTemporaryFolder { folder in
            let input = try folder.write("many", Self.many)
            try await SmallDisk.with(kibibytes: kibibytes) { disk in
                let path = "\(disk)/catalog"
                try makeCatalog(path, [thor])
                var settings = CatalogImport(time: noon)
                settings.isReplacing = true
                let error = #expect(throws: CatalogFileError.self) { try settings.run([input], into: path) }
                #expect(error?.description.contains("full") == true, "\(String(describing: error))")
                #expect(try CatalogFileReader(path).characters() == [thor])
                #expect(try URL(filePath: disk).names == ["catalog"])
            }
        }
    }
}
