internal import Catalog
internal import Foundation
internal import MarvelAPI
internal import MarvelDomain
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

struct MirrorTests {
    private static func scene(
        _ characters: [MarvelCharacter],
        _ folder: URL,
        onRequest: @escaping @Sendable (ListGateway, Int) -> Void = { _, _ in }
    ) -> MirrorScene {
        MirrorScene(ListGateway(characters, onRequest: onRequest), folder.file("marvel.catalog"))
    }

    @Test func aWholeGatewayIsInTheFile() async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(250), folder)
            let plan = try await scene.run()
            #expect(try scene.characters() == crowd(250))
            #expect(scene.gateway.requests.map { $0["offset"] } == ["0", "95", "190"])
            #expect(scene.gateway.requests.allSatisfy { $0["orderBy"] == "name" && $0["nameStartsWith"] == nil })
            let origin = CatalogOrigin(
                name: MirrorScene.address,
                attribution: "Data provided by a test",
                readAt: Timestamp(seconds: MirrorScene.start.sinceEpoch.components.seconds)
            )
            #expect(try CatalogFileReader(scene.path).description.origins == [origin])
            #expect(plan.added == 250)
            #expect(try folder.names == ["marvel.catalog"])
            let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
            #expect(bytes.range(of: Data("private-key".utf8)) == nil)
        }
    }

    @Test func stoppedItGoesOnWhereItWas() async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(350), folder)
            await #expect(throws: MirrorError.self) {
                try await scene.run(report: { [stop = scene.stop] event in
                    if case .answered(let plan, _) = event, plan.read == 195 { stop.request() }
                })
            }
            #expect(try folder.names == ["marvel.catalog.partial"])
            let again = MirrorScene(scene.gateway, scene.path)
            try await again.run()
            #expect(scene.gateway.requests.map { $0["offset"] } == ["0", "95", "190", "285"])
            #expect(try again.characters() == crowd(350))
        }
    }

    @Test func anotherGatewaysBeginningIsRefusedByName() async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(250), folder)
            scene.gateway.fail([.untrusted("a test")])
            await #expect(throws: MirrorError.self) { try await scene.run(address: "http://other.test") }
            let error = await #expect(throws: MirrorError.self) { try await scene.run() }
            #expect(error?.code == .refused)
            #expect(error?.message.contains("http://other.test") == true)
            try await scene.run { $0.restarts = true }
            #expect(try scene.characters().count == 250)
        }
    }

    @Test(arguments: [true, false])
    func aFileFromElsewhereIsReplacedOnlyOnRequest(_ isFull: Bool) async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(5), folder)
            try makeCatalog(scene.path)
            guard !isFull else {
                try await scene.run { $0.isFull = true }
                return #expect(try scene.characters() == crowd(5))
            }
            let error = await #expect(throws: MirrorError.self) { try await scene.run() }
            #expect(error?.message.contains("answers.json") == true)
            #expect(try scene.characters() == [spider, thor])
            #expect(try folder.names == ["marvel.catalog"])
        }
    }

    @Test func theBudgetIsWaitedForAndOutlivesTheProcess() async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(450), folder)
            let error = await #expect(throws: MirrorError.self) {
                try await scene.run(callsPerDay: 2) { $0.waits = false }
            }
            #expect(error?.code == .budgetSpent)
            #expect(scene.gateway.requests.count == 2)
            await #expect(throws: MirrorError.self) { try await scene.run(callsPerDay: 2) { $0.waits = false } }
            await #expect(throws: MirrorError.self) {
                try await scene.run(callsPerDay: 2) {
                    $0.waits = false
                    $0.restarts = true
                }
            }
            #expect(scene.gateway.requests.count == 2, "what was called is remembered")
            try await scene.run(callsPerDay: 2)
            #expect(scene.gateway.requests.count == 2 + 5)
            #expect(scene.slept.count { $0 > .seconds(80_000) } == 3, "\(scene.slept)")
            #expect(try scene.characters() == crowd(450))
        }
    }

    @Test func whatFailsForAWhileIsAskedAgain() async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(250), folder)
            scene.gateway.fail([.interrupted("cut"), .timedOut, .malformed("x"), .unreachable("no route"), .timedOut])
            try await scene.run()
            #expect(try scene.characters() == crowd(250))
        }
    }

    @Test func aCharacterThatMovesUpIsNotMissed() async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(250), folder) { gateway, number in
                if number == 2 { gateway.change { $0.removeFirst(3) } }
            }
            let plan = try await scene.run()
            #expect(try scene.characters().map(\.id) == Array(4...250))
            #expect(plan.difference == 0)
        }
    }

    @Test func aCharacterThatComesInIsFound() async throws {
        try await withTemporaryFolder { folder in
            let late = MarvelCharacter(
                id: 1_000,
                name: "Aaa",
                modified: Timestamp(seconds: MirrorScene.start.sinceEpoch.components.seconds)
            )
            let scene = Self.scene(crowd(250), folder) { gateway, number in
                if number == 2 { gateway.change { $0.insert(late, at: 0) } }
            }
            let plan = try await scene.run()
            #expect(try scene.characters() == crowd(250) + [late])
            #expect(plan.difference == 0)
        }
    }

    @Test func aRefreshTakesOnlyWhatChanged() async throws {
        try await withTemporaryFolder { folder in
            let scene = Self.scene(crowd(250), folder)
            try await scene.run()
            scene.pass(.seconds(40 * 86_400))
            let changed = Timestamp(seconds: scene.now.sinceEpoch.components.seconds - 10)
            scene.gateway.change { characters in
                characters[6].description = "New."
                characters[6].modified = changed
                characters.remove(at: 3)
                characters.append(MarvelCharacter(id: 900, name: "Zed", modified: changed))
            }
            let plan = try await scene.run()
            #expect(scene.gateway.requests.count == 3 + 2)
            #expect(scene.gateway.requests[3]["modifiedSince"] != nil)
            #expect(plan.added == 1)
            #expect(plan.changed == 1)
            #expect(plan.stored == 251)
            #expect(plan.difference == -1)
            let characters = try scene.characters()
            #expect(characters.first { $0.id == 7 }?.description == "New.")
            #expect(characters.contains { $0.id == 4 })
            try await scene.run { $0.isFull = true }
            #expect(try scene.characters().count == 250)
            #expect(try !scene.characters().contains { $0.id == 4 })
        }
    }

    @Test func picturesAreCopiedOnRequestAndFailuresAreNotFatal() async throws {
        try await withTemporaryFolder { folder in
            var characters = crowd(40)
            for index in characters.indices {
                let names = ["broken/x", "gone/x", "b/40/image_not_available"]
                guard index != 3 else { continue }
                let name = index < names.count ? names[index] : "p\(index)"
                characters[index].thumbnail = Thumbnail(path: "\(MirrorScene.address)/\(name)", fileExtension: "png")
            }
            let scene = Self.scene(characters, folder)
            let plan = try await scene.run { $0.variants = [.standardLarge] }
            #expect(plan.pictures.taken == 37)
            #expect(plan.pictures.placeholders == 1)
            #expect(plan.pictures.missing == 2)
            #expect(plan.pictures.failed == 1)
            let reader = try CatalogFileReader(scene.path)
            let picture = try #require(try await reader.picture(of: 3, .standardLarge))
            #expect(picture.isPlaceholder)
            #expect(try await reader.picture(of: 10, .standardLarge)?.isPlaceholder == false)
            #expect(try await reader.picture(of: 1, .standardLarge) == nil)
            let before = scene.gateway.pictureRequests.count
            try await scene.run { $0.variants = [.standardLarge] }
            #expect(scene.gateway.pictureRequests.count == before + 2, "what is there is not asked for again")
        }
    }

    @Test(arguments: ["", "29000000=3 29000001=12", "29000000=3 until=1790000000000", "probe=5"])
    func callsAreKeptAsText(_ text: String) {
        #expect(MirrorCalls(text).text == text)
        #expect(MirrorCalls(text + " x=y =3 7").text == text)
    }
}
