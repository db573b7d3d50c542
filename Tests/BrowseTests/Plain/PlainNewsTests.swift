import Browse
import MarvelDomain
import Testing

struct PlainNewsTests {
    private let trouble = FailureNotice("The server is busy.", whatToDo: "Wait a little.")
    private let lost =
        "The connection to 127.0.0.1:6160 was lost. Look at the server. It is tried again by itself; type retry to "
        + "try at once."

    private func searched(total: Int = 12, live favorites: [Int64]? = []) -> Conversation {
        let talk = Conversation(total: total, live: favorites)
        _ = talk.type("hero")
        return talk
    }

    // MARK: Toggles

    @Test func aToggleIsToldWhenItIsAnswered() {
        let talk = searched()
        #expect(talk.type("2") == [])
        #expect(talk.isWaiting)
        #expect(talk.answer(2, isFavorite: true, revision: 2) == ["Saved Hero 1."])
        #expect(!talk.isWaiting)
        #expect(talk.hear { $0.live([2], revision: 2) } == [])
        #expect(talk.type("2") == [])
        #expect(talk.answer(2, isFavorite: false, revision: 3) == ["Removed Hero 1."])
    }

    @Test func itIsToldOnceIfTheListComesBeforeTheAnswer() {
        let talk = searched()
        _ = talk.type("2")
        #expect(talk.hear { $0.live([2], revision: 2) } == [])
        #expect(talk.answer(2, isFavorite: true, revision: 2) == ["Saved Hero 1."])
    }

    @Test(arguments: [true, false])
    func whatLeavesIsNamedOnce(isListFirst: Bool) {
        let talk = searched(live: [1, 2, 3, 4, 5])
        _ = talk.type("6")
        var lines: [String] = []
        if isListFirst { lines += talk.hear { $0.live([2, 3, 4, 5, 6], revision: 2) } }
        lines += talk.answer(6, isFavorite: true, revision: 2, evicted: [1])
        if !isListFirst { lines += talk.hear { $0.live([2, 3, 4, 5, 6], revision: 2) } }
        #expect(lines == ["Saved Hero 5.", "Hero 0 left your favorites to make room for Hero 5."])
    }

    @Test func aRefusedToggleIsToldAndTriedAgainAlsoMuchLater() {
        let talk = searched()
        _ = talk.type("2")
        let lines = talk.refuse(2, trouble)
        #expect(
            lines == ["Hero 1 was not saved. The server is busy. Wait a little. Type retry to try again."]
        )
        #expect(talk.hear { $0.wait(.seconds(60)) } == [])
        #expect(talk.type("retry") == [])
        #expect(talk.scene.wishes.last == .toggle(characterID: 2, desired: .saved))
        #expect(talk.answer(2, isFavorite: true, revision: 2) == ["Saved Hero 1."])
        #expect(talk.type("retry") == ["Nothing has failed that could be tried again."])
    }

    @Test func whatSeemedRefusedAndHappenedIsNotAnothersDoing() {
        let talk = searched()
        _ = talk.type("2")
        _ = talk.refuse(2, trouble)
        #expect(talk.hear { $0.live([2], revision: 2) } == ["Hero 1 was saved all the same."])
    }

    @Test func aNumberWhoseAnswerIsAwaitedDoesNothingMore() {
        let talk = searched()
        _ = talk.type("2")
        #expect(talk.type("2") == ["No answer yet for Hero 1."])
        #expect(talk.answer(2, isFavorite: true, revision: 2) == ["Saved Hero 1."])
    }

    @Test func numbersStayWhatWasHeardWhenTheListMoves() {
        let talk = Conversation(live: [1, 2])
        _ = talk.type("f")
        _ = talk.hear { $0.live([2], revision: 2) }
        #expect(talk.type("2") == [])
        #expect(talk.answer(2, isFavorite: false, revision: 3) == ["Removed Hero 1."])
    }

    // MARK: Others

    @Test(
        arguments: [
            ([1, 2, 3], ["Another client saved Hero 2."]),
            ([2], ["Another client removed Hero 0."]),
            ([3], ["Another client saved Hero 2.", "Another client removed Hero 0 and Hero 1."]),
            ([1, 2, 3, 4, 5], ["Another client saved Hero 2, Hero 3 and Hero 4."]),
            ([2, 3, 4, 5, 6], ["Another client saved 4 characters.", "Hero 0 left your favorites to make room."]),
            ([2, 1], []),
        ] as [([Int64], [String])]
    )
    func whatOthersDoIsToldOnce(ids: [Int64], lines: [String]) {
        let talk = Conversation(live: [1, 2])
        #expect(talk.hear { $0.live(ids, revision: 2) } == lines)
        #expect(talk.hear { $0.live(ids, revision: 2) } == [])
    }

    // MARK: Connection

    @Test func aLostConnectionIsToldOnceAndThatItIsBack() {
        let talk = Conversation(live: [1])
        #expect(talk.hear { $0.lose() } == [lost])
        #expect(talk.hear { $0.wait(.seconds(3)) } == [])
        #expect(talk.hear { $0.lose(nextTry: .seconds(10)) } == [])
        #expect(
            talk.hear { $0.live([1, 2], revision: 2) } == ["The connection is back.", "Another client saved Hero 1."]
        )
        #expect(talk.hear { $0.lose() } == [lost])
    }

    @Test func retryTellsWhetherThereIsAConnection() {
        let talk = Conversation(live: [1])
        _ = talk.hear { $0.lose() }
        #expect(talk.type("r") == [])
        #expect(talk.scene.wishes.last == .followFavorites)
        #expect(talk.isWaiting)
        #expect(talk.hear { $0.lose() } == ["Still no connection: The connection to 127.0.0.1:6160 was lost."])
        #expect(!talk.isWaiting)
        #expect(talk.type("r") == [])
        #expect(talk.hear { $0.live([1]) } == ["The connection is back."])
        #expect(!talk.isWaiting)
    }

    @Test func retrySaysWhenItIsTriedAlready() {
        let talk = Conversation(live: nil)
        #expect(talk.type("r") == ["It is being tried already."])
        #expect(!talk.isWaiting)
    }

    @Test func aConnectionThatEndedIsToldAgainWhenRetryDidNotHelp() {
        let talk = Conversation()
        let end = BrowseEvent.favorites(FavoritesState(connection: .ended(FailureNotice("The list does not exist."))))
        let words = ["The list does not exist. Type retry to connect again."]
        #expect(talk.hear { $0.send(end) } == words)
        #expect(talk.type("r") == [])
        #expect(talk.hear { $0.send(end) } == words)
        #expect(!talk.isWaiting)
    }

    @Test func theLastListIsReadWithoutAServer() {
        let talk = Conversation(live: [1])
        _ = talk.hear { $0.lose() }
        let lines = talk.type("f")
        #expect(lines.dropFirst().first == "1: Hero 0.")
        #expect(lines.contains("The list may have changed since the connection was lost."))
    }

    @Test func aListThatIsNotKnownComesWhenTheServerIsThere() {
        let talk = Conversation(live: nil)
        #expect(talk.hear { $0.lose() } == [lost])
        #expect(talk.type("f") == ["The favorites are not known before the server is there."])
        #expect(!talk.isWaiting)
        let lines = talk.hear { $0.live([1]) }
        #expect(lines.prefix(2) == ["Connected.", "1 of at most 5 favorites, oldest first."])
    }

    // MARK: Searches

    @Test func aFailedSearchIsToldInWordsAndTriedAgain() {
        let talk = Conversation(total: 1)
        talk.isServed = false
        #expect(talk.type("hero") == [])
        let words = ["The server is busy. Wait a little. Type retry to try again."]
        #expect(talk.fail(trouble) == words)
        #expect(!talk.isWaiting)
        #expect(talk.hear { $0.wait(.seconds(5)) } == [])
        #expect(talk.type("retry") == [])
        #expect(talk.isWaiting)
        #expect(talk.fail(trouble) == words)
        talk.isServed = true
        #expect(talk.type("hero").prefix(2) == ["1 character begins with “hero”.", "1: Hero 0."])
    }

    @Test func whatFailedAheadIsToldWhenItIsWanted() {
        let talk = Conversation(total: 30)
        talk.isServed = false
        _ = talk.type("hero")
        #expect(talk.hear { $0.serveOnePage() }.count == 12)
        #expect(talk.fail(trouble) == [])
        #expect(talk.type("") == ["The server is busy. Wait a little. Type retry to try again."])
        talk.isServed = true
        #expect(talk.type("r").first == "11 to 20 of 30.")
    }

    @Test func aSearchThatLostItsServerIsReadWhenThatIsBack() {
        let talk = Conversation(total: 1)
        talk.isServed = false
        _ = talk.type("hero")
        #expect(talk.hear { $0.lose() } == [lost])
        let words = ["The search goes on when the server is back; type retry to try at once."]
        #expect(talk.fail(.gone) == words)
        #expect(talk.hear { $0.live([]) } == ["The connection is back."])
        #expect(talk.hear { $0.serve() }.prefix(2) == ["1 character begins with “hero”.", "1: Hero 0."])
    }

    @Test func theLossIsNotToldTwiceIfTheSearchSeesItFirst() {
        let talk = Conversation(total: 1)
        talk.isServed = false
        _ = talk.type("hero")
        let words = ["The connection to 127.0.0.1:6160 was lost. Look at the server. Type retry to try again."]
        #expect(talk.fail(.gone) == words)
        #expect(talk.hear { $0.lose() } == [])
        #expect(talk.hear { $0.live([]) } == ["The connection is back."])
    }

    @Test func aLongSearchIsToldOnce() {
        let talk = Conversation(total: 1)
        talk.isServed = false
        _ = talk.type("hero")
        #expect(talk.hear { $0.wait(.milliseconds(999)) } == [])
        #expect(talk.hear { $0.wait(.milliseconds(1)) } == ["Searching…"])
        #expect(talk.hear { $0.wait(.seconds(10)) } == [])
        #expect(talk.type("") == ["The answer has not come yet."])
        #expect(talk.type("thor") == [])
        #expect(talk.scene.wishes.contains(.cancelSearch(SearchID(1))))
        #expect(talk.hear { $0.wait(.milliseconds(1000)) } == ["Searching…"])
        #expect(talk.hear { $0.serve() }.first == "1 character begins with “thor”.")
    }

    // MARK: The end

    @Test(arguments: [.text("q"), .end] as [PlainLine])
    func theEndOfTheInputQuitsToo(line: PlainLine) {
        let talk = searched()
        _ = talk.type("1")
        #expect(talk.type(line) == ["No answer yet for Hero 0."])
        #expect(talk.isOver)
    }
}
