import Browse
import MarvelDomain
import TerminalUI
import Testing

@Suite
struct FavoritesTests {
    private var scene: Scene = {
        var scene = Scene()
        scene.live([3, 1, 2])
        scene.type("hi")
        scene.press(.tab)
        _ = scene.take()
        return scene
    }()

    @Test(arguments: [Key.Code.enter, .character("x"), .delete])
    mutating func aKeyRemovesAFavorite(key: Key.Code) {
        scene.press(.down)
        scene.press(key)
        #expect(scene.take() == [.toggle(characterID: 1, desired: .removed)])
        // It stays in its place, without its color, until the list is without it.
        #expect(scene.model.card(at: 1)?.isFavorite == false)
        #expect(scene.model.card(at: 1)?.isPending == true)
        scene.live([3, 2], revision: 2)
        #expect(scene.model.favorites.favorites.map(\.character.id) == [3, 2])
        #expect(scene.model.selectedCharacter?.id == 2)
    }

    /// Another client removes the first one while Enter is on its way to the second.
    @Test mutating func theSelectionFollowsItsCharacter() {
        scene.press(.down)
        scene.live([1, 2], revision: 2)
        #expect(scene.model.selectedCharacter?.id == 1)
        scene.live([4, 5, 1, 2], revision: 3)
        #expect(scene.model.selectedCharacter?.id == 1)
        scene.press(.enter)
        #expect(scene.take() == [.toggle(characterID: 1, desired: .removed)])
        scene.live([4, 5, 2], revision: 4)
        #expect(scene.model.selectedCharacter?.id == 2)
    }

    @Test mutating func anEmptyListSaysSo() {
        #expect(scene.model.notice.isEmpty)
        scene.live([], revision: 2)
        #expect(scene.model.notice.first == "No favorites yet.")
        scene.press(.enter, .down, .end)
        #expect(scene.take().isEmpty)
    }

    // MARK: The server does not answer

    @Test mutating func aRetryDuringConnectingReconnects() {
        scene = Scene()
        scene.press(.tab)
        _ = scene.take()
        scene.type("r")
        #expect(scene.take() == [.followFavorites])
    }

    @Test mutating func aPendingSearchCanBeRestarted() {
        scene.type("1")
        scene.press(.enter)
        _ = scene.take()
        scene.type("r")
        let effects = scene.take()
        #expect(effects.count == 2)
        #expect(effects.first == .cancelSearch(SearchID(1)))
        #expect(effects.last?.started?.query.text == "hi")
        scene.serve()
        _ = scene.take()
        #expect(scene.model.count == 1000)
        scene.type("r")
        #expect(scene.take().isEmpty)
    }

    // MARK: The server is gone

    @Test mutating func theBannerCountsDownToTheNextTry() {
        scene.lose(nextTry: .milliseconds(2500))
        #expect(
            scene.model.banner == "The connection to 127.0.0.1:6160 was lost. Retrying in 3 s; r retries now."
        )
        #expect(scene.model.favorites.favorites.count == 3)
        scene.wait(.seconds(2))
        #expect(scene.model.banner?.contains("Retrying in 1 s") == true)
        scene.wait(.seconds(1))
        #expect(scene.model.banner?.contains("Trying now") == true)
        #expect(scene.timers[.countdown] == nil)
        scene.live([3])
        #expect(scene.model.banner == nil)
    }

    @Test mutating func aKeyReconnectsWithoutWaiting() {
        scene.lose(nextTry: .seconds(30))
        scene.type("r")
        #expect(scene.take() == [.followFavorites])
        #expect(scene.timers[.countdown] == nil)
        // The new watch knows nothing yet; what is known stays.
        scene.send(.favorites(FavoritesState()))
        #expect(scene.model.favorites.favorites.count == 3)
    }

    @Test mutating func aSearchThatFailedWithTheConnectionIsRunAgainByItself() {
        scene.type("1")
        scene.press(.enter)
        scene.lose()
        scene.end(.failed(.gone))
        #expect(scene.model.notice.first == "The connection to 127.0.0.1:6160 was lost.")
        _ = scene.take()
        scene.lose()
        #expect(scene.take().isEmpty)
        scene.live([3, 1, 2])
        #expect(scene.take().compactMap(\.started).map(\.query.text) == ["hi"])
        scene.serve()
        #expect(scene.model.notice.isEmpty)
    }

    /// Each stream learns for itself that the server was gone.
    @Test mutating func aSearchThatFailsAfterTheServerIsBackIsRunAgainOnce() {
        scene.type("1")
        scene.press(.enter)
        scene.lose()
        scene.live([3, 1, 2])
        _ = scene.take()
        scene.end(.failed(.gone))
        #expect(scene.take().compactMap(\.started).map(\.query.text) == ["hi"])
        scene.end(.failed(.gone))
        #expect(scene.take().compactMap(\.started).isEmpty)
        #expect(scene.model.notice.first == "The connection to 127.0.0.1:6160 was lost.")
        scene.lose()
        scene.live([3, 1, 2])
        #expect(scene.take().compactMap(\.started).map(\.query.text) == ["hi"])
    }

    /// While a person types, r is a letter.
    @Test mutating func controlRInTheFieldRetries() {
        scene.type("1")
        scene.wait(.seconds(1))
        scene.end(.failed(FailureNotice("The server is busy.")))
        #expect(scene.model.notice == ["The server is busy.", "Ctrl-R retries."])
        scene.lose()
        #expect(scene.model.banner?.hasSuffix("Ctrl-R retries now.") == true)
        _ = scene.take()
        scene.press(.control("r"))
        let effects = scene.take()
        #expect(effects.first == .followFavorites)
        #expect(effects.last?.started?.query.text == "hi")
        #expect(scene.model.search.field.text == "hi")
    }

    @Test mutating func aRefusedSearchIsNotRetried() {
        scene.type("1")
        scene.press(.enter)
        scene.lose()
        scene.end(.failed(FailureNotice("This server compares names only by their beginning.", canRetry: false)))
        _ = scene.take()
        scene.live([3, 1, 2])
        scene.type("r")
        #expect(scene.take().isEmpty)
        scene.press(.control("t"))
        #expect(scene.take().compactMap(\.started).map(\.match) == [.wordPrefix])
    }

    @Test mutating func aWatchThatHasEndedSaysWhatToDo() {
        let trouble = FailureNotice("The list's name is not valid.")
        scene.send(.favorites(FavoritesState(connection: .ended(trouble))))
        #expect(scene.model.banner == "The list's name is not valid. r reconnects.")
        scene.type("r")
        #expect(scene.take() == [.followFavorites])
    }
}
