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
    @Test(arguments: [true, false]) func aDamagedFileIsMadeAgainOnce(_ isOpen: Bool) async throws {
        let scene = try CacheScene()
        var file = scene.open()
        #expect(await file.pin([kept(1)]))
        if !isOpen { await file.close() }
        try scene.execute("ALTER TABLE pictures RENAME COLUMN digest TO sum")
        if !isOpen { file = scene.open() }
        #expect(await file.picture(at: "u") == nil)
        #expect(await file.pinnedIDs() == [], "so that they are fetched again")
        #expect(await file.pin([kept(2)]))
        #expect(scene.said.count == 1 && scene.said[0].contains("\(scene.path).damaged"), "\(scene.said)")
        try scene.execute("ALTER TABLE pictures RENAME COLUMN digest TO sum")
        #expect(await file.picture(at: "u") == nil)
        #expect(await file.pinnedIDs() == nil)
        #expect(scene.said.last?.contains("damaged repeatedly") == true, "\(scene.said)")
        await file.close()
    }

    /// It may be another program's, or the one to look at.
    @Test func aDamagedFileDoesNotReplaceAFileOfItsName() async throws {
        let scene = try CacheScene()
        let other = Data("other".utf8)
        try other.write(to: URL(filePath: scene.path + ".damaged"))
        for _ in 1...2 {
            try Data(count: 8_192).write(to: URL(filePath: scene.path))
            await scene.open().close()
        }
        #expect(try scene.files.filter { $0.contains("damaged") } == ["cache.damaged"])
        #expect(try Data(contentsOf: URL(filePath: scene.path + ".damaged")) == other)
        #expect(scene.said.first?.contains("the old one is removed") == true, "\(scene.said)")
    }

    @Test func aFileOfTheEarlierVersionIsMigrated() async throws {
        let scene = try CacheScene()
        let file = scene.open()
        file.keep(CacheScene.answer([1]), to: "a")
        await file.close()
        try scene.execute("DROP TABLE pins; PRAGMA user_version = 1")
        let again = scene.open()
        #expect(await again.answer(to: "a")?.ids == [1])
        #expect(await again.pin([kept(1)]))
        await again.close()
        #expect(scene.said.isEmpty)
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
        #expect(await file.pinnedIDs() == [1, 2])
        await file.close()
    }
}
