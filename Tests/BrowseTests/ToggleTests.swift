import Browse
import MarvelClient
import MarvelDomain
import TerminalUI
import Testing

@Suite
struct ToggleTests {
    private var scene = Scene.searched(total: 10)
    private let busy = FailureNotice("The server's disk is full.", whatToDo: "Try again later.")

    private func isFavorite(_ id: Int64) -> Bool { scene.model.isFavorite(id) }
    private func isPending(_ id: Int64) -> Bool { scene.model.toggles.isPending(id) }

    private mutating func answer(_ isFavorite: Bool, revision: Int64, evicted: [Int] = [], of id: Int64 = 1) {
        let evicted = evicted.map { Favorite(character: .number($0), savedAt: Timestamp(seconds: 1)) }
        let result = ToggleResult(isFavorite: isFavorite, revision: revision, evicted: evicted)
        scene.send(.toggleAnswered(characterID: id, result))
    }

    @Test mutating func aToggleIsShownImmediatelyAndMarkedAsPending() {
        scene.press(.enter)
        #expect(scene.take() == [.toggle(characterID: 1, desired: .saved)])
        #expect(isFavorite(1) && isPending(1))
        answer(true, revision: 2)
        #expect(isFavorite(1) && !isPending(1))
        scene.live([1], revision: 2)
        #expect(isFavorite(1))
        scene.live([], revision: 3)
        #expect(!isFavorite(1))
    }

    @Test mutating func aClickSelectsAndASecondOneToggles() throws {
        try scene.click(cardAt: 4)
        #expect(scene.take().isEmpty)
        #expect(scene.model.cursor.selected == 4)
        try scene.click(cardAt: 4)
        #expect(scene.take() == [.toggle(characterID: 5, desired: .saved)])
        // A third click, of who clicks fast, does not put it back.
        try scene.click(cardAt: 4)
        #expect(scene.take().isEmpty)
    }

    @Test(arguments: [Key.Code.down, .character("v"), .tab])
    mutating func aClickAfterAKeyCountsAsTheFirst(key: Key.Code) throws {
        try scene.click(cardAt: 4)
        scene.press(key)
        if key == .tab { scene.press(.tab) }
        _ = scene.take()
        try scene.click(cardAt: 4)
        #expect(!scene.take().contains { if case .toggle = $0 { true } else { false } })
    }

    @Test(arguments: [true, false])
    mutating func uUndoesTheLastChange(wasFavorite: Bool) {
        if wasFavorite { scene.live([1], revision: 1) }
        scene.press(.enter)
        answer(!wasFavorite, revision: 2)
        _ = scene.take()
        scene.press(.character("u"))
        #expect(scene.take().contains(.toggle(characterID: 1, desired: wasFavorite ? .saved : .removed)))
        #expect(isFavorite(1) == wasFavorite)
        // The list is in the order of saving.
        let isNewest = scene.model.message?.text.hasSuffix(" was saved again, as your newest favorite.")
        #expect(isNewest == wasFavorite)
        answer(wasFavorite, revision: 3)
        _ = scene.take()
        scene.press(.character("u"))
        #expect(scene.model.message?.text == "There is nothing to undo.")
    }

    @Test(arguments: [true, false])
    mutating func undoRestoresTheEvictedFavorite(isAnswered: Bool) {
        scene.live([9, 8, 7, 6, 5])
        scene.press(.enter)
        // The character with the id 9.
        if isAnswered { answer(true, revision: 2, evicted: [8]) }
        _ = scene.take()
        scene.press(.character("u"))
        if !isAnswered { answer(true, revision: 2, evicted: [8]) }
        #expect(scene.take().contains(.toggle(characterID: 1, desired: .removed)))
        // Not before there is room for it.
        #expect(!isPending(9))
        answer(false, revision: 3)
        #expect(scene.take().contains(.toggle(characterID: 9, desired: .saved)))
        let text = scene.model.message?.text ?? ""
        #expect(text.hasPrefix("Undone: ") && text.contains(" was removed, and "), "\(text)")
        #expect(text.hasSuffix(" was saved again, as your newest favorite."), "\(text)")
    }

    @Test mutating func undoRestoresTheEvictedFavoriteAlsoAfterQuitting() {
        scene.live([9, 8, 7, 6, 5])
        scene.press(.enter)
        answer(true, revision: 2, evicted: [8])
        scene.press(.character("u"))
        scene.press(.character("q"))
        _ = scene.take()
        answer(false, revision: 3)
        #expect(scene.take() == [.toggle(characterID: 9, desired: .saved)])
    }

    /// The evicted favorite comes back only if the character is removed after all.
    @Test mutating func aSaveDuringItsUndoRestoresNothing() {
        scene.live([9, 8, 7, 6, 5])
        scene.press(.enter)
        answer(true, revision: 2, evicted: [8])
        scene.press(.character("u"))
        scene.press(.enter)
        _ = scene.take()
        answer(false, revision: 3)
        #expect(scene.take().filter(isToggle) == [.toggle(characterID: 1, desired: .saved)])
        answer(true, revision: 4)
        scene.press(.character("u"))
        _ = scene.take()
        answer(false, revision: 5)
        #expect(scene.take().filter(isToggle) == [.toggle(characterID: 9, desired: .saved)])
    }

    private func isToggle(_ effect: BrowseEffect) -> Bool { if case .toggle = effect { true } else { false } }

    /// A save into a list above its maximum evicts several, and only one has room again.
    @Test mutating func undoRestoresTheNewestOfSeveral() {
        scene.live([9, 8, 7, 6, 5])
        scene.press(.enter)
        answer(true, revision: 2, evicted: [8, 7])
        scene.press(.character("u"))
        _ = scene.take()
        answer(false, revision: 3)
        let (older, newest) = (
            BrowseEffect.toggle(characterID: 9, desired: .saved), BrowseEffect.toggle(characterID: 8, desired: .saved)
        )
        let effects = scene.take()
        #expect(effects.contains(newest) && !effects.contains(older))
    }

    @Test mutating func aRefusedChangeIsNotUndone() {
        scene.press(.enter)
        scene.send(.toggleRefused(characterID: 1, busy))
        scene.press(.character("u"))
        #expect(scene.model.message?.text == "There is nothing to undo.")
    }

    @Test mutating func theCardDoesNotFlashBackBeforeTheListHasTheAnswer() {
        scene.press(.enter)
        answer(true, revision: 3)
        scene.live([], revision: 2)
        #expect(isFavorite(1))
        scene.live([], revision: 4)
        #expect(!isFavorite(1))
    }

    @Test mutating func theListMayBeAheadOfTheAnswer() {
        scene.press(.enter)
        scene.live([], revision: 9)
        answer(true, revision: 2)
        #expect(!isFavorite(1))
    }

    @Test mutating func theLastToggleWinsAndOneRequestIsInFlight() {
        scene.press(.enter, .enter, .enter)
        #expect(scene.take() == [.toggle(characterID: 1, desired: .saved)])
        #expect(isFavorite(1))
        scene.press(.enter)
        #expect(!isFavorite(1))
        answer(true, revision: 2)
        #expect(scene.take() == [.toggle(characterID: 1, desired: .removed)])
        #expect(!isFavorite(1) && isPending(1))
        answer(false, revision: 3)
        #expect(!isPending(1))
        #expect(scene.take().isEmpty)
    }

    @Test mutating func aToggleThatFailsAfterQuittingStaysUnanswered() {
        scene.press(.enter, .down, .enter)
        scene.type("q")
        scene.send(.toggleRefused(characterID: 1, busy))
        answer(true, revision: 2, of: 2)
        #expect(scene.model.toggles.pendingNames == ["Hero 0"])
        #expect(scene.timers[.message] == nil)
    }

    @Test mutating func aRefusedToggleIsRevertedWithTheReason() {
        scene.press(.enter)
        scene.send(.toggleRefused(characterID: 1, busy))
        #expect(!isFavorite(1) && !isPending(1))
        #expect(scene.model.message?.kind == .failure)
        #expect(scene.model.message?.text == "Hero 0 was not saved. The server's disk is full. Try again later.")
        _ = scene.take()
        scene.type("r")
        #expect(scene.take() == [.toggle(characterID: 1, desired: .saved)])
    }

    @Test mutating func aFailureStaysUntilTheNextKey() {
        scene.press(.enter, .down, .enter)
        answer(true, revision: 7, evicted: [8])
        scene.send(.toggleRefused(characterID: 2, busy))
        scene.wait(.seconds(60))
        #expect(scene.model.message?.kind == .failure)
        scene.press(.down)
        #expect(scene.model.message == nil)
    }

    @Test mutating func aRefusalOfAnObsoleteChangeShowsNothing() {
        scene.press(.enter, .enter)
        scene.send(.toggleRefused(characterID: 1, busy))
        #expect(!isFavorite(1))
        #expect(scene.model.message == nil)
    }

    // MARK: No answer

    private let lost = FailureNotice("No answer came in time.", mayHaveHappened: true)

    @Test mutating func anUnknownOutcomeIsReportedAndRetriedAsDesired() {
        scene.press(.enter)
        scene.send(.toggleRefused(characterID: 1, lost))
        #expect(scene.model.message?.text == "It is unknown whether Hero 0 was saved. No answer came in time.")
        _ = scene.take()
        // It was saved after all, which this window does not know for want of a connection.
        scene.lose()
        scene.type("r")
        #expect(scene.take().contains(.toggle(characterID: 1, desired: .saved)))
    }

    /// The list has told of the change before, and the card shows it: again is not the opposite.
    @Test mutating func aRetryDoesNotContradictTheCard() {
        scene.press(.enter)
        scene.send(.toggleRefused(characterID: 1, lost))
        scene.send(.favorites(FavoritesState(list: list([1]), connection: .lost(.gone, nextTry: .seconds(3)))))
        #expect(isFavorite(1))
        _ = scene.take()
        scene.type("r")
        #expect(scene.take().contains(.toggle(characterID: 1, desired: .saved)))
    }

    @Test mutating func theMessageDisappearsWhenTheListShowsTheChange() {
        scene.press(.enter)
        scene.send(.toggleRefused(characterID: 1, lost))
        scene.live([2], revision: 2)
        #expect(scene.model.message != nil)
        scene.live([2, 1], revision: 3)
        #expect(scene.model.message == nil)
        #expect(isFavorite(1))
    }

    @Test mutating func noMessageIsShownIfTheListHasTheChange() {
        scene.press(.enter)
        scene.live([1], revision: 2)
        scene.send(.toggleRefused(characterID: 1, lost))
        #expect(scene.model.message == nil)
        #expect(isFavorite(1) && !isPending(1))
    }

    @Test mutating func theLatestToggleIsRetried() {
        scene.press(.enter, .enter)
        scene.live([1], revision: 2)
        scene.send(.toggleRefused(characterID: 1, lost))
        #expect(scene.model.message != nil)
        _ = scene.take()
        scene.type("r")
        #expect(scene.take() == [.toggle(characterID: 1, desired: .removed)])
    }

    private func list(_ ids: [Int]) -> FavoritesList {
        let favorites = ids.map { Favorite(character: .number($0 - 1), savedAt: Timestamp(seconds: 1)) }
        return FavoritesList(favorites: favorites, revision: 5, capacity: 5)
    }

    @Test mutating func theEvictedFavoriteIsNamed() {
        scene.press(.enter)
        answer(true, revision: 7, evicted: [8])
        #expect(scene.model.message?.text == "Hero 8 left your favorites to make room for Hero 0.")
    }

    /// These go to the terminal when the screen is gone already, with nothing between.
    @Test func controlCharactersInNamesAreHarmless() throws {
        var scene = Scene()
        scene.live([])
        scene.type("hero")
        scene.press(.enter)
        let requests = scene.take().compactMap { if case .startSearch(let request) = $0 { request } else { nil } }
        let search = try #require(requests.last?.id)
        let character = MarvelCharacter(id: 1, name: " \u{1B}]0;owned\u{7}\n")
        scene.send(.search(search, .page(SearchPage(characters: [character], total: 1))))
        scene.press(.enter)
        #expect(scene.model.toggles.pendingNames == ["\u{FFFD}]0;owned\u{FFFD}"])
    }

    @Test mutating func aMessageDisappearsAfterFourSecondsOrWithTheNextKey() {
        scene.press(.enter)
        answer(true, revision: 7, evicted: [8])
        scene.wait(.milliseconds(3999))
        #expect(scene.model.message != nil)
        scene.wait(.milliseconds(1))
        #expect(scene.model.message == nil)
        scene.press(.enter)
        answer(false, revision: 8, evicted: [7])
        #expect(scene.model.message != nil)
        scene.press(.down)
        #expect(scene.model.message == nil)
        #expect(scene.timers[.message] == nil)
    }

    @Test mutating func theListAfterAReconnectReplacesEarlierAnswers() {
        scene.press(.enter)
        answer(true, revision: 7)
        scene.lose()
        #expect(isFavorite(1))
        // The store was put back to an earlier day.
        scene.live([], revision: 3)
        #expect(!isFavorite(1))
    }

    @Test mutating func searchResultsMarkFavoritesUntilTheListIsLoaded() {
        scene = Scene()
        scene.type("hero")
        scene.press(.enter)
        let page = SearchPage(characters: [.number(0), .number(1)], favoriteIDs: [2], total: 2)
        scene.send(.search(SearchID(1), .page(page)))
        #expect(!isFavorite(1) && isFavorite(2))
        scene.live([1])
        #expect(isFavorite(1) && !isFavorite(2))
    }

    @Test mutating func aRowThatIsNotLoadedCannotBeToggled() {
        scene = .searched()
        scene.type("G")
        _ = scene.take()
        scene.press(.enter)
        #expect(scene.take().isEmpty)
    }
}
