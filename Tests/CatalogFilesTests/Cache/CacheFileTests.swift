import Catalog
import Foundation
import MarvelDomain
import Testing
import Upstream

@testable import CatalogFiles

@Suite struct CacheFileTests {
    private let start = CacheScene.start

    @Test func answersSurviveARestart() async throws {
        let scene = try CacheScene()
        let answer = CacheScene.answer([1, 2], etag: nil)
        let first = scene.open()
        #expect(await first.answer(to: "characters?a") == nil)
        first.keep(answer, to: "characters?a")
        #expect(await first.answer(to: "characters?a")?.contents == answer.contents)
        await first.close()
        let second = scene.open()
        #expect(await second.answer(to: "characters?a")?.contents == answer.contents)
        #expect(await second.answer(to: "characters?b") == nil)
        await second.close()
        #expect(scene.said.isEmpty)
    }

    @Test func aCharacterIsFoundInTheLastAnswerThatHeldIt() async throws {
        let scene = try CacheScene()
        let file = scene.open()
        file.keep(CacheScene.answer([1, 2]), to: "a")
        file.keep(CacheScene.answer([2, 3]), to: "b")
        #expect(await file.answer(holding: 1)?.key == "a")
        #expect(await file.answer(holding: 2)?.key == "b")
        #expect(await file.answer(holding: 4) == nil)
        // The page is another one by now, and no longer says anything of 3.
        file.keep(CacheScene.answer([2]), to: "b")
        #expect(await file.answer(holding: 3) == nil)
        file.forgetCharacter(1)
        #expect(await file.answer(holding: 1) == nil)
        #expect(await file.answer(to: "a") != nil)
        await file.close()
    }

    @Test func eachGatewayHasItsOwnAnswersAndCalls() async throws {
        let scene = try CacheScene()
        let first = scene.open()
        first.keep(CacheScene.answer([1]), to: "a")
        first.note(.calls(minute: start.minute, change: 7))
        await first.close()
        let other = scene.open(gateway: "https://other.test")
        #expect(await other.answer(to: "a") == nil)
        #expect(await other.answer(holding: 1) == nil)
        #expect(await other.budget(callsPerDay: 10, at: start).used == 0)
        other.keep(CacheScene.answer([9]), to: "a")
        await other.close()
        let again = scene.open()
        #expect(await again.answer(to: "a")?.ids == [1])
        #expect(await again.budget(callsPerDay: 10, at: start).used == 7)
        await again.close()
    }

    @Test func theLeastRecentlyUsedIsEvicted() async throws {
        let scene = try CacheScene()
        var limits = CacheFile.Limits()
        limits.pictureByteCount = 5 * 11_100
        let file = scene.open(limits: limits)
        for byte in 1...5 as ClosedRange<UInt8> { file.keep(CacheScene.picture(byte), at: "u\(byte)") }
        #expect(await file.picture(at: "u1") == CacheScene.picture(1))
        file.keep(CacheScene.picture(6), at: "u6")
        #expect(await file.picture(at: "u2") == nil)
        for byte in [1, 3, 4, 5, 6] as [UInt8] {
            #expect(await file.picture(at: "u\(byte)") == CacheScene.picture(byte))
        }
        await file.close()
        limits.pictureByteCount = 2 * 11_100
        await scene.open(limits: limits).close()
        #expect(try scene.count("pictures") == 2, "a lower limit holds from the start")
        limits.pictureByteCount = 0
        let none = scene.open(limits: limits)
        none.keep(CacheScene.picture(7), at: "u7")
        #expect(await none.picture(at: "u7") == nil)
        await none.close()
    }

    @Test func answersAreBoundedToo() async throws {
        let scene = try CacheScene()
        var limits = CacheFile.Limits()
        limits.answerByteCount = 100_000
        let file = scene.open(limits: limits)
        for number in 0..<200 { file.keep(CacheScene.answer([Int64(number) + 1]), to: "\(number)") }
        #expect(await file.answer(to: "0") == nil)
        #expect(await file.answer(holding: 1) == nil)
        #expect(await file.answer(to: "199") != nil)
        await file.close()
        let size = try FileManager.default.attributesOfItem(atPath: scene.path)[.size] as? Int ?? 0
        #expect(size < 300_000)
    }

    @Test func picturesAreConfirmedAndForgotten() async throws {
        let scene = try CacheScene()
        let file = scene.open()
        file.keep(CacheScene.picture(1), at: "u")
        file.confirmPicture(at: "u", start + .seconds(60))
        #expect(await file.picture(at: "u")?.fetchedAt == start + .seconds(60))
        file.forgetPicture(at: "u")
        #expect(await file.picture(at: "u") == nil)
        await file.close()
    }

    @Test func theNumberOfCallsSurvivesARestart() async throws {
        let scene = try CacheScene()
        let first = scene.open()
        let minute = start.minute
        first.note(.calls(minute: minute - 1_442, change: 100))
        first.note(.calls(minute: minute - 1_400, change: 2))
        for change in [1, 1, -1] { first.note(.calls(minute: minute, change: change)) }
        await first.close()
        let second = scene.open()
        var budget = await second.budget(callsPerDay: 4, at: start)
        #expect(budget.used == 3)
        #expect(budget.take(at: start) == nil)
        #expect(budget.take(at: start) != nil)
        let block = CallBudget.Block(until: start + .seconds(900), isProbed: true)
        second.note(.block(block))
        await second.close()
        #expect(try scene.count("calls") == 2, "entries older than a day are removed")
        let third = scene.open()
        var paused = await third.budget(callsPerDay: 5, at: start)
        #expect((paused.used, paused.block) == (4, block), "the budget recorded the call that was taken")
        paused.answered(startedAt: start)
        #expect(await third.budget(callsPerDay: 5, at: start).block == nil)
        await third.close()
    }

    @Test func onlyTheOwnerCanReadTheFile() async throws {
        let scene = try CacheScene()
        let file = scene.open()
        file.keep(CacheScene.answer([1]), to: "a")
        _ = await file.answer(to: "a")
        for name in try scene.files {
            let url = URL(fileURLWithPath: scene.path).deletingLastPathComponent().appending(path: name)
            let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        await file.close()
    }
}
