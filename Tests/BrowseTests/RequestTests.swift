import Browse
import MarvelDomain
import Testing

/// The requests of the app that need no keys.
struct RequestTests {
    @Test func aSearchStartsAtOnceAndIsRemembered() {
        var scene = Scene()
        scene.send(.requested(.search("iron man")))
        #expect(scene.wishes.compactMap(\.started).map(\.query.text) == ["iron man"])
        #expect(scene.wishes.contains(.saveRecentSearches(["iron man"])))
        #expect(scene.timers[.typingPause] == nil)
    }

    @Test func anotherMatchSearchesAgain() {
        var scene = Scene.searched()
        scene.send(.requested(.compare(.fuzzy)))
        #expect(scene.take().compactMap(\.started).map(\.match) == [.fuzzy])
        scene.send(.requested(.compare(.fuzzy)))
        #expect(scene.take().isEmpty)
    }

    @Test(arguments: [0..<10, 50..<60, 990..<1000, 995..<1005])
    func placesAreBroughtOnTheScreen(places: Range<Int>) {
        var scene = Scene.searched(total: 1000)
        scene.send(.requested(.show(places)))
        scene.serve()
        let model = scene.model
        let visible = model.cursor.visible(in: model.layout.grid, count: model.count)
        #expect(places.clamped(to: 0..<1000).clamped(to: visible) == places.clamped(to: 0..<1000))
        #expect(visible.allSatisfy { model.character(at: $0) != nil })
    }

    @Test(arguments: [true, false])
    func aCharacterBecomesWhatItShallBe(isFavorite: Bool) {
        var scene = Scene.searched()
        scene.send(.requested(.favorite(.number(0), isFavorite)))
        #expect(scene.take() == [.toggle(characterID: 1, desired: isFavorite ? .saved : .removed)])
        #expect(scene.model.isFavorite(1) == isFavorite)
    }

    @Test func whatFailedIsTriedAgain() {
        var scene = Scene(rows: 14)
        scene.send(.requested(.search("hero")))
        scene.end(.failed(FailureNotice("The server is busy.")))
        _ = scene.take()
        scene.send(.requested(.retry))
        #expect(scene.take().compactMap(\.started).map(\.query.text) == ["hero"])
    }

    @Test func quittingEndsIt() {
        var scene = Scene()
        scene.send(.requested(.quit))
        #expect(scene.model.isOver)
        #expect(scene.take().last == .quit)
    }
}
