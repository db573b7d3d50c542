import Catalog
import Foundation
import MarvelDomain
import Testing
import Upstream

@testable import CatalogFiles

/// Whatever becomes of the file: no crash, no wrong answer, and a word for the operator.
@Suite struct CacheDamageTests {
    private let start = CacheScene.start

    private func picture(_ byte: UInt8) -> CachedPicture { CacheScene.picture(byte, byteCount: 5_000) }

    private func pinned(_ id: Int64) -> KeptPicture {
        KeptPicture(id: id, picture: picture(UInt8(id)).picture, fetchedAt: Timestamp(seconds: id))
    }

    /// Writes a file with something of each kind in it, and closes it.
    private func fill(_ scene: CacheScene) async {
        let file = scene.open()
        for number in 1...5 as ClosedRange<Int64> { file.keep(CacheScene.answer([number]), to: "\(number)") }
        for byte in 1...3 as ClosedRange<UInt8> { file.keep(picture(byte), at: "u\(byte)") }
        file.note(.calls(minute: start.minute, change: 5))
        #expect(await file.pin((1...3).map(pinned)))
        await file.close()
    }

    /// Opens the file and asks for all that was in it.
    private func use(_ scene: CacheScene) async {
        let file = scene.open()
        for number in 1...5 as ClosedRange<Int64> {
            if let answer = await file.answer(to: "\(number)") {
                #expect(answer.contents == CacheScene.answer([number]).contents)
            }
            if let (_, answer) = await file.answer(holding: number) { #expect(answer.ids == [number]) }
        }
        for byte in 1...3 as ClosedRange<UInt8> {
            if let picture = await file.picture(at: "u\(byte)") { #expect(picture == self.picture(byte)) }
        }
        for id in 1...3 as ClosedRange<Int64> {
            if let picture = await file.pinnedPicture(of: id) { #expect(picture == pinned(id)) }
        }
        _ = await file.budget(callsPerDay: 10, at: start)
        file.keep(CacheScene.answer([99]), to: "new")
        file.keep(CacheScene.answer([99]), to: "new")
        if file.isOpen { #expect(await file.answer(to: "new")?.ids == [99]) }
        await file.close()
    }

    /// A power loss leaves such a file.
    @Test func aFileOfZerosIsRenamed() async throws {
        let contents = Data(repeating: 0, count: 8_192)
        let scene = try CacheScene()
        try contents.write(to: URL(fileURLWithPath: scene.path))
        await use(scene)
        #expect(scene.said.count == 1)
        #expect(scene.said.first?.contains("the old one is \(scene.path).damaged") == true, "\(scene.said)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path + ".damaged")) == contents)
        await use(scene)
        #expect(scene.said.count == 1, "the new one is well")
    }

    /// A byte here and there, one file each; then a file cut off at each page.
    @Test func aDamagedFileGivesNothingWrong() async throws {
        let scene = try CacheScene()
        await fill(scene)
        let url = URL(fileURLWithPath: scene.path)
        let whole = try Data(contentsOf: url)
        for position in stride(from: 0, to: whole.count, by: 1_531) {
            var flipped = whole
            flipped[position] ^= 0x5A
            try flipped.write(to: url)
            await use(scene)
        }
        for length in stride(from: 0, to: whole.count, by: 4_096) {
            try whole.prefix(length).write(to: url)
            await use(scene)
        }
        try FileManager.default.removeItem(at: url)
        await use(scene)
    }

    @Test(arguments: [
        "UPDATE answers SET characters = x'0102'", "UPDATE answers SET total = total + 1",
        "UPDATE answers SET question = question || ''; UPDATE answers SET attribution = 'other'",
    ])
    func aRowWithAWrongChecksumIsDropped(_ change: String) async throws {
        let scene = try CacheScene()
        await fill(scene)
        try scene.execute(change)
        let file = scene.open()
        #expect(await file.answer(to: "1") == nil)
        #expect(await file.answer(holding: 2) == nil)
        await file.close()
        #expect(try scene.count("answers") == 3)
    }

    /// It could delete, or hang, whenever an answer is kept.
    @Test func aTriggerIsDamage() async throws {
        let scene = try CacheScene()
        await fill(scene)
        try scene.execute("CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM calls; END")
        await use(scene)
        #expect(try scene.files.contains("cache.damaged"))
        #expect(scene.said.first?.contains("has the trigger t") == true, "\(scene.said)")
    }

    @Test(arguments: [
        "ALTER TABLE answers RENAME COLUMN total TO totals", "ALTER TABLE answers RENAME COLUMN cost TO price",
        "ALTER TABLE pictures RENAME COLUMN digest TO sum", "ALTER TABLE calls RENAME COLUMN count TO counts",
        "DROP TABLE calls; CREATE TABLE calls (gateway, minute, count); "
            + "INSERT INTO calls VALUES ('http://gateway.test', 29833334, 9223372036854775807), "
            + "('http://gateway.test', 29833333, 9223372036854775807), ('http://gateway.test', 29833333, NULL)",
        "DROP TABLE calls; CREATE TABLE calls (gateway, minute, count); "
            + "INSERT INTO calls VALUES ('http://gateway.test', 29833334, 9223372036854775807), "
            + "('http://gateway.test', 29833333, 9223372036854775807)",
        "UPDATE answers SET cost = CASE id WHEN 1 THEN -9223372036854775807 ELSE 3000000000000000000 END, last_use = id",
        "DROP TABLE blocks; CREATE TABLE blocks (gateway, until, is_probed); "
            + "INSERT INTO blocks VALUES ('http://gateway.test', NULL, 'x')",
    ])
    func unexpectedColumnsAreHarmless(_ change: String) async throws {
        let scene = try CacheScene()
        await fill(scene)
        try scene.execute(change)
        await use(scene)
        await use(scene)
    }

    @Test(arguments: [
        "PRAGMA application_id = 7", "PRAGMA user_version = 3",
        "PRAGMA application_id = 0",
    ])
    func filesOfOthersStayUnchanged(_ change: String) async throws {
        let scene = try CacheScene()
        await fill(scene)
        try scene.execute(change)
        let file = scene.open()
        #expect(!file.isOpen)
        await use(scene)
        await file.close()
        #expect(scene.said.allSatisfy { $0.contains("nothing is stored") })
        #expect(try !scene.files.contains("cache.damaged"))
        #expect(try scene.count("answers") == 5)
    }

    /// The option may name a file of another program by mistake.
    @Test(arguments: ["text", "database", "damaged database"])
    func theFilesOfOtherProgramsKeepTheirBytesAndMode(_ kind: String) async throws {
        let scene = try CacheScene()
        if kind == "text" {
            try Data(String(repeating: "This is not a database. ", count: 20).utf8).write(to: URL(filePath: scene.path))
        } else {
            try scene.execute("CREATE TABLE t (a INTEGER) STRICT; PRAGMA application_id = 7")
            if kind != "database" {
                var bytes = try Data(contentsOf: URL(filePath: scene.path))
                bytes.replaceSubrange(100..<110, with: Data(count: 10))
                try bytes.write(to: URL(filePath: scene.path))
            }
        }
        #expect(chmod(scene.path, 0o640) == 0)
        let before = try Data(contentsOf: URL(filePath: scene.path))
        let file = scene.open()
        #expect(!file.isOpen)
        await file.close()
        #expect(scene.said == ["nothing is stored in the cache \(scene.path): it is another program's file"])
        #expect(try Data(contentsOf: URL(filePath: scene.path)) == before)
        #expect(try FileManager.default.attributesOfItem(atPath: scene.path)[.posixPermissions] as? Int == 0o640)
        #expect(try scene.files == ["cache"])
    }

    /// The digest of a row is no signature: a forged row may have a right one.
    @Test(arguments: [(-1, 1, 30), (.max, 1, 30), (.max - 1, 2, .max), (20, -1, 30), (20, .max, 30), (20, 1, -1)])
    func anAnswerWithImpossibleNumbersIsDropped(_ offset: Int, _ receivedCount: Int, _ total: Int) async throws {
        let scene = try CacheScene()
        let file = scene.open()
        let results = CharacterResults(
            characters: [MarvelCharacter(id: 1, name: "A")],
            offset: offset,
            receivedCount: receivedCount,
            total: total,
            attribution: "",
            etag: nil
        )
        file.keep(KeptAnswer(results, fetchedAt: start), to: "a")
        #expect(await file.answer(to: "a") == nil)
        #expect(await file.answer(holding: 1) == nil)
        await file.close()
        #expect(try scene.count("answers") == 0)
    }

    @Test func aFileIsOpenInOneServerOnly() async throws {
        let scene = try CacheScene()
        let first = scene.open()
        first.keep(CacheScene.answer([1]), to: "a")
        let second = scene.open()
        #expect(!second.isOpen)
        #expect(scene.said.first?.contains("another server") == true)
        #expect(await second.answer(to: "a") == nil)
        second.keep(CacheScene.answer([2]), to: "a")
        await second.close()
        #expect(await first.answer(to: "a")?.ids == [1])
        await first.close()
    }

    @Test(arguments: ["/proc/cache", "/dev/null/cache"])
    func anUnwritablePathIsReportedAndHarmless(_ path: String) async {
        let file = CacheFile(path: path, gateway: "http://gateway.test") { problem in
            #expect(problem.contains(path))
        }
        #expect(!file.isOpen)
        file.keep(CacheScene.answer([1]), to: "a")
        #expect(await file.answer(to: "a") == nil)
        #expect(await file.budget(callsPerDay: 3, at: start).used == 0)
        #expect(await file.pinnedIDs() == nil)
        #expect(await !file.pin([pinned(1)]))
        #expect(!file.pinNow([pinned(1)]))
        #expect(await file.pinnedPicture(of: 1) == nil)
        await file.unpin([1])
        await file.close()
    }
}
