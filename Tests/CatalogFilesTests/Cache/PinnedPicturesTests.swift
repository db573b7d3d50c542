import Foundation
import MarvelDomain
import SQLiteFiles
import Testing
import Upstream

@testable import CatalogFiles

/// The pictures of favorites in a cache file.
@Suite struct PinnedPicturesTests {
    private func kept(_ id: Int64, _ byte: UInt8 = 1, byteCount: Int = 5_000) -> KeptPicture {
        let bytes = [UInt8](repeating: byte, count: byteCount)
        let type = PictureType.allCases[Int(id) % 3]
        return KeptPicture(
            id: id,
            picture: Picture(bytes: bytes, mediaType: type, isPlaceholder: id % 2 == 0),
            fetchedAt: Timestamp(seconds: id % 1_000_000)
        )
    }

    private func write(
        _ path: String,
        overwriting: Bool = false,
        _ pictures: [KeptPicture],
        after body: () throws -> Void = {}
    ) throws -> Int {
        try PinnedPicturesCopy.write(to: path, overwriting: overwriting, { try pictures.forEach($0) }, after: body)
            .count
    }

    private func pictures(_ path: String) throws -> [KeptPicture] {
        var pictures: [KeptPicture] = []
        try PinnedPicturesCopy.read(path) { pictures.append($0) }
        return pictures
    }

    @Test func pinnedPicturesAreThereUntilTheyAreUnpinned() async throws {
        let scene = try CacheScene()
        let first = scene.open()
        #expect(await first.pinnedIDs() == [])
        #expect(await first.pinnedPicture(of: 1) == nil)
        #expect(await first.pin([kept(1), kept(2), kept(.max), kept(3)]))
        #expect(await first.pin([kept(2, 9)]))
        #expect(await first.pin([]))
        await first.close()
        let second = scene.open()
        #expect(await second.pinnedIDs() == [1, 2, 3, .max])
        for id in [1, 3, .max] as [Int64] { #expect(await second.pinnedPicture(of: id) == kept(id)) }
        #expect(await second.pinnedPicture(of: 2) == kept(2, 9), "the newer one")
        await second.unpin([1, 7])
        #expect(await second.pinnedPicture(of: 1) == nil)
        #expect(await second.pinnedIDs() == [2, 3, .max])
        await second.close()
        #expect(scene.said.isEmpty)
    }

    @Test func limitsDoNotApplyToPinnedPictures() async throws {
        let scene = try CacheScene()
        var limits = CacheFile.Limits()
        (limits.pictureByteCount, limits.answerByteCount) = (11_100, 0)
        let file = scene.open(limits: limits)
        #expect(await file.pin((1...20).map { kept($0) }))
        for byte in 1...5 as ClosedRange<UInt8> { file.keep(CacheScene.picture(byte), at: "u\(byte)") }
        #expect(await file.picture(at: "u5") == CacheScene.picture(5), "they leave the others their room")
        #expect(await file.picture(at: "u4") == nil)
        await file.close()
        limits.pictureByteCount = 0
        let none = scene.open(limits: limits)
        #expect(await none.pinnedIDs() == Set(1...20))
        await none.close()
    }

    @Test(arguments: [
        "bytes = x'00'", "media_type = 'image/gif'", "is_placeholder = 1", "fetched_at = 0", "digest = 0",
    ])
    func aDamagedPictureIsNeverShown(_ change: String) async throws {
        let scene = try CacheScene()
        let file = scene.open()
        #expect(await file.pin([kept(1), kept(3)]))
        await file.close()
        try scene.execute("UPDATE pins SET \(change) WHERE character_id = 1")
        #expect(try pictures(scene.path) == [kept(3)], "and never copied")
        let again = scene.open()
        #expect(await again.pinnedPicture(of: 1) == nil)
        #expect(await again.pinnedIDs() == [3], "so that it is fetched again")
        #expect(await again.pinnedPicture(of: 3) == kept(3))
        await again.close()
    }

    @Test func aPictureOfAnotherCharacterIsNeverShown() async throws {
        let scene = try CacheScene()
        let file = scene.open()
        #expect(await file.pin([kept(1)]))
        await file.close()
        try scene.execute("UPDATE pins SET character_id = 2")
        let again = scene.open()
        #expect(await again.pinnedPicture(of: 2) == nil)
        await again.close()
    }

    /// The damage is in another table, at the start or while the file is open.
    @Test(arguments: [true, false]) func aDamagedFileGivesItsPicturesToTheNextOne(_ isOpen: Bool) async throws {
        let scene = try CacheScene()
        var file = scene.open()
        #expect(await file.pin((1...300).map { kept($0, byteCount: 100) }))
        if !isOpen { await file.close() }
        try scene.execute("ALTER TABLE pictures RENAME COLUMN digest TO sum")
        if !isOpen { file = scene.open() }
        #expect(await file.picture(at: "u") == nil)
        #expect(await file.pinnedIDs() == Set(1...300))
        #expect(await file.pinnedPicture(of: 300) == kept(300, byteCount: 100))
        #expect(scene.said.count == 2, "\(scene.said)")
        #expect(scene.said.last?.contains("restored from") == true)
        await file.close()
        #expect(try pictures(scene.path).count == 300)
    }

    /// The pictures on both sides of the page are there, and the operator is told that perhaps not all are.
    @Test func aDamagedPageLosesOnlyItsOwnPictures() async throws {
        let scene = try CacheScene()
        let first = scene.open()
        #expect(first.pinNow((1...300).map { kept($0, $0 == 150 ? 7 : 1, byteCount: 100) }))
        await first.close()
        var bytes = try Data(contentsOf: URL(filePath: scene.path))
        let needle = try #require(bytes.range(of: Data(kept(150, 7, byteCount: 100).picture.bytes)))
        let page = needle.lowerBound / 4_096 * 4_096
        bytes.replaceSubrange(page..<page + 8, with: Data(repeating: 0xFF, count: 8))
        try bytes.write(to: URL(filePath: scene.path))

        let file = scene.open()
        _ = await file.pinnedIDs()
        let ids = try #require(await file.pinnedIDs())
        #expect(ids.isSuperset(of: [1, 2, 299, 300]))
        #expect((200..<300).contains(ids.count), "\(ids.count)")
        #expect(await file.pinnedPicture(of: 300) == kept(300, byteCount: 100))
        #expect(scene.said.last?.contains("some may be missing") == true, "\(scene.said)")
        await file.close()
        #expect(try !PinnedPicturesCopy.read(scene.path + ".damaged") { _ in }, "a copy without them would look whole")
    }

    /// It may hold the last copies.
    @Test func aDamagedFileDoesNotReplaceAnEarlierOne() async throws {
        let scene = try CacheScene()
        for _ in 1...6 {
            try Data(count: 8_192).write(to: URL(filePath: scene.path))
            await scene.open().close()
        }
        let names = ["cache.damaged", "cache.damaged-2", "cache.damaged-3", "cache.damaged-4"]
        #expect(try scene.files.filter { $0.contains("damaged") }.sorted() == names)
    }

    @Test func aFileOfTheEarlierVersionIsMigrated() async throws {
        let scene = try CacheScene()
        let file = scene.open()
        file.keep(CacheScene.answer([1]), to: "a")
        await file.close()
        try scene.execute("DROP TABLE pins; PRAGMA user_version = 1")
        #expect(try pictures(scene.path) == [])
        let again = scene.open()
        #expect(await again.answer(to: "a")?.ids == [1])
        #expect(await again.pin([kept(1)]))
        await again.close()
        #expect(scene.said.isEmpty)
    }

    @Test func aFileThatCannotBeOpenedKeepsNothing() async throws {
        let file = CacheFile(path: "/proc/cache", gateway: "") { _ in }
        #expect(await file.pinnedIDs() == nil)
        #expect(await !file.pin([kept(1)]))
        #expect(!file.pinNow([kept(1)]))
        #expect(await file.pinnedPicture(of: 1) == nil)
        await file.unpin([1])
        await file.close()
    }

    @Test func aFullDiskPinsNothingAndLosesNothing() async throws {
        let scene = try CacheScene()
        let first = scene.open()
        #expect(await first.pin([kept(1)]))
        await first.close()
        let file = scene.open()
        #expect(file.performNow { db in try db.execute("PRAGMA max_page_count = 40") })
        #expect(await !file.pin((2...60).map { kept($0) }))
        #expect(!file.pinNow((2...60).map { kept($0) }))
        #expect(await file.pinnedIDs() == [1], "all or none")
        #expect(await file.pinnedPicture(of: 1) == kept(1))
        #expect(scene.said.count == 1, "it is said once")
        #expect(await file.pin([kept(2)]), "there is room for one")
        await file.close()
        #expect(try pictures(scene.path) == [kept(1), kept(2)])
    }

    // MARK: Copies

    /// The operator has to look at the one with the error.
    @Test func anErrorOfACopyNamesTheFileThatHasIt() async throws {
        try await withTemporaryFolder { folder in
            let (foreign, copy) = (folder.file("foreign"), folder.file("copy"))
            try Database(foreign).execute("CREATE TABLE t (a INTEGER) STRICT; PRAGMA application_id = 7")
            let error = #expect(throws: CacheFileError.self) {
                try PinnedPicturesCopy.add(to: copy) { try PinnedPicturesCopy.read(foreign, $0) }
            }
            let reason = "the pictures of favorites in \(foreign) cannot be read: it is another program's file"
            #expect(error?.description == reason)
        }
    }

    @Test func picturesAreCopiedWhileAServerHasTheFileOpen() async throws {
        let scene = try CacheScene()
        let copy = scene.path + ".copy"
        let file = scene.open()
        #expect(file.pinNow([kept(1), kept(2)]))
        #expect(try write(copy, pictures(scene.path)) == 2)
        #expect(await file.pin([kept(3)]), "the server continues")
        #expect(try pictures(copy) == [kept(1), kept(2)])
        #expect(throws: CacheFileError.self) { try PinnedPicturesCopy.add(to: scene.path) { try $0(kept(4)) } }
        #expect(throws: CacheFileError.self) { try write(scene.path, overwriting: true, [kept(4)]) }
        await file.close()
        #expect(throws: CacheFileError.self) { try write(copy, []) }
        #expect(try write(copy, overwriting: true, [kept(5)]) == 1)
        #expect(try pictures(copy) == [kept(5)])
        #expect(try PinnedPicturesCopy.add(to: copy) { try PinnedPicturesCopy.read(scene.path, $0) } == 3)
        #expect(try pictures(copy).map(\.id) == [1, 2, 3, 5])
    }

    /// The cache of the store may be elsewhere: the pictures of the old copy may be the only ones.
    @Test func aCopyWithoutPicturesLeavesTheOldOnes() throws {
        let scene = try CacheScene()
        let copy = scene.path + ".copy"
        #expect(try write(copy, []) == 0)
        #expect(try scene.files == [], "no pictures, no file")
        #expect(try write(copy, [kept(1)]) == 1)
        #expect(try write(copy, overwriting: true, []) == 0)
        #expect(try pictures(copy) == [kept(1)])
    }

    @Test(arguments: [[], [2, 3]] as [[Int64]]) func aCopyOfAStoreThatFailsLeavesTheOldPictures(_ ids: [Int64]) throws {
        struct Stop: Error {}
        let scene = try CacheScene()
        #expect(try write(scene.path, [kept(1)]) == 1)
        #expect(throws: Stop.self) {
            try write(scene.path, overwriting: true, ids.map { kept($0) }) {
                #expect(try pictures(scene.path) == [kept(1)], "the store comes first")
                throw Stop()
            }
        }
        #expect(try pictures(scene.path) == [kept(1)])
        #expect(try scene.files == ["cache"])
    }

    @Test func aCopyOfPicturesThatFailsLeavesTheOldOnesAndTheStore() async throws {
        struct Stop: Error {}
        let scene = try CacheScene()
        #expect(try write(scene.path, [kept(1)]) == 1)
        #expect(throws: Stop.self) {
            try PinnedPicturesCopy.write(to: scene.path, overwriting: true) { write in
                for id: Int64 in 2...600 { try write(kept(id)) }
                throw Stop()
            } after: {
                Issue.record("the store was copied")
            }
        }
        #expect(try pictures(scene.path) == [kept(1)])
        #expect(try scene.files == ["cache"])
    }

    /// SQLite would apply it to the new file.
    @Test func theLogOfALostFileIsRemoved() async throws {
        let scene = try CacheScene()
        let copy = scene.path + ".copy"
        let file = scene.open()
        #expect(file.pinNow([kept(1)]))
        try FileManager.default.copyItem(atPath: scene.path + "-wal", toPath: copy + "-wal")
        await file.close()
        #expect(throws: CacheFileError.self) { try write(copy, [kept(2)]) }
        #expect(try write(copy, overwriting: true, [kept(2)]) == 1)
        #expect(try pictures(copy) == [kept(2)])
    }

    @Test func aFileThatIsNotACacheIsNotCopied() throws {
        let scene = try CacheScene()
        #expect(try pictures(scene.path) == [])
        try Data().write(to: URL(filePath: scene.path))
        #expect(try pictures(scene.path) == [], "a start that was cut short")
        try scene.execute("CREATE TABLE pins (character_id)")
        let error = #expect(throws: CacheFileError.self) { try pictures(scene.path) }
        #expect(error?.description.contains(scene.path) == true)
        try Data("This is not a database.".utf8).write(to: URL(filePath: scene.path))
        #expect(throws: CacheFileError.self) { try pictures(scene.path) }
    }
}
