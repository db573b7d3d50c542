import MarvelClient
import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

/// A row of the list with a picture is three lines high: eight fit on 90x30.
@Suite
struct PictureTests {
    private func key(_ id: Int64, _ size: PictureKey.Size = .card) -> PictureKey { PictureKey(id, size) }

    private func image(bytes: Int = 400) throws -> PixelImage {
        let image = PixelImage(width: 100, height: bytes / 400, pixels: Array(repeating: 0, count: bytes))
        return try #require(image, "a picture of \(bytes) bytes")
    }

    private func loads(_ effects: [BrowseEffect]) -> [Int64] {
        effects.compactMap { if case .loadPicture(let key) = $0 { key.characterID } else { nil } }
    }

    private func cancels(_ effects: [BrowseEffect]) -> [Int64] {
        effects.compactMap { if case .cancelPicture(let key) = $0 { key.characterID } else { nil } }
    }

    private func scene() -> Scene {
        var scene = Scene(columns: 90, rows: 30, showsPictures: true)
        scene.live([])
        scene.type("hero")
        scene.press(.enter)
        _ = scene.take()
        return scene
    }

    @Test func visiblePicturesAndTheNextRowAreLoadedInOrderFourAtATime() throws {
        var scene = scene()
        scene.serve()
        #expect(loads(scene.take()) == [1, 2, 3, 4])
        for id in 1...9 { scene.send(.picture(key(Int64(id)), .image(try image()))) }
        #expect(loads(scene.take()) == [5, 6, 7, 8, 9])
        #expect(scene.model.card(at: 0)?.picture == .image(try image()))
        #expect(scene.model.spinner == nil)
    }

    @Test func aFailedPictureIsMarkedAndRetried() throws {
        var scene = scene()
        scene.serve()
        scene.send(.picture(key(1), .none))
        #expect(!BrowseView(scene.model).screen.text.contains(Symbol.failure))
        scene.send(.picture(key(2), .failed))
        #expect(BrowseView(scene.model).screen.text.contains(Symbol.failure))
        for id in 3...9 { scene.send(.picture(key(Int64(id)), .none)) }
        _ = scene.take()
        scene.type("r")
        #expect(loads(scene.take()) == [2])
        #expect(scene.model.card(at: 1)?.picture == .loading)
    }

    @Test func requestsForSkippedRowsAreCancelled() {
        var scene = scene()
        scene.serve()
        _ = scene.take()
        scene.press(.pageDown)
        let effects = scene.take()
        #expect(cancels(effects) == [1, 2, 3, 4])
        #expect(loads(effects) == [9, 10, 11, 12])
        // Too late.
        let before = scene.model
        scene.send(.picture(key(1), .none))
        #expect(scene.model == before)
    }

    @Test func seenPicturesAreNotLoadedAgain() throws {
        var scene = scene()
        scene.serve()
        for id in 1...7 { scene.send(.picture(key(Int64(id)), .image(try image()))) }
        scene.press(.pageDown, .pageUp)
        _ = scene.take()
        scene.press(.pageDown, .pageUp)
        #expect(!loads(scene.take()).contains { $0 <= 7 })
    }

    @Test func noPictureIsRequestedIfPicturesAreOff() {
        var scene = Scene.searched(showsPictures: false)
        scene.type("v")
        scene.press(.pageDown)
        scene.serve()
        #expect(loads(scene.take()).isEmpty)
        #expect(scene.model.card(at: scene.model.cursor.selected)?.picture == Pictures.State.none)
    }

    @Test func theDetailHasAPictureOfItsOwn() {
        var scene = scene()
        scene.serve()
        _ = scene.take()
        scene.type("d")
        let effects = scene.take()
        #expect(cancels(effects) == [1, 2, 3, 4])
        #expect(effects.contains(.loadPicture(key(1, .detail))))
        scene.press(.escape)
        let after = scene.take()
        #expect(after.contains(.cancelPicture(key(1, .detail))))
        #expect(loads(after) == [1, 2, 3, 4])
    }

    @Test func aFailedPictureIsRetriedWhenTheServerIsBack() {
        var scene = scene()
        scene.serve()
        for id in 1...7 { scene.send(.picture(key(Int64(id)), .failed)) }
        scene.lose()
        _ = scene.take()
        scene.live([])
        #expect(loads(scene.take()) == [1, 2, 3, 4])
    }

    @Test func noPictureIsRequestedForACharacterWithoutOne() {
        var scene = Scene(columns: 90, rows: 30, showsPictures: true)
        scene.type("hero")
        scene.press(.enter)
        let character = MarvelCharacter(id: 5, name: "Faceless")
        scene.send(.search(SearchID(1), .page(SearchPage(characters: [character], total: 1))))
        #expect(loads(scene.take()).isEmpty)
        #expect(scene.model.card(at: 0)?.picture == Pictures.State.none)
    }

    @Test(arguments: [(400, 200), (1_000_000, 67)])
    func theCacheIsBounded(bytes: Int, expected: Int) throws {
        var scene = scene()
        scene.serve()
        let image = try image(bytes: bytes)
        for _ in 1...60 {
            var loaded = loads(scene.take())
            while !loaded.isEmpty {
                for id in loaded { scene.send(.picture(key(id), .image(image))) }
                loaded = loads(scene.take())
            }
            scene.press(.pageDown)
            scene.serve()
        }
        let isKept = { (id: Int64) in scene.model.pictures[key(id)] == .image(image) }
        #expect((1...600).count(where: isKept) == expected)
        // The last ones that were seen.
        #expect(isKept(Int64(scene.model.cursor.top)))
        #expect(scene.model.pictures[key(1)] == .loading)
    }

    /// More than can be kept, all at once on a huge screen: what does not fit must not be loaded again and again.
    @Test func textThatDoesNotFitOnAHugeScreenIsOmitted() throws {
        var scene = Scene(columns: 500, rows: 250, style: .grid, showsPictures: true)
        scene.type("hero")
        scene.press(.enter)
        scene.serve()
        let image = try image(bytes: 1_000_000)
        func asks() -> [PictureKey] {
            scene.take().compactMap { if case .loadPicture(let key) = $0 { key } else { nil } }
        }
        var loaded: [PictureKey] = []
        var asked = asks()
        while !asked.isEmpty, loaded.count < 1000 {
            loaded += asked
            for key in asked { scene.send(.picture(key, .image(image))) }
            asked = asks()
        }
        #expect(scene.model.layout.cards.count > 190)
        #expect(loaded.count == 200)
        #expect(Set(loaded).count == 200)
        #expect(scene.model.spinner == nil)
    }
}
