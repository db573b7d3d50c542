import Browse
import MarvelDomain
import Testing

struct PlainReadingTests {
    private let attribution = "Data provided by Marvel."

    private func heroes(_ places: ClosedRange<Int>) -> [String] { places.map { "\($0): Hero \($0 - 1)." } }

    @Test func resultsAreReadTenAtATime() {
        let talk = Conversation(total: 23)
        let title = "23 characters begin with “hero”. Here are 1 to 10; an empty line reads on."
        #expect(talk.type("hero") == [title] + heroes(1...10) + [attribution])
        #expect(talk.type("") == ["11 to 20 of 23."] + heroes(11...20))
        #expect(talk.type("more") == ["21 to 23 of 23."] + heroes(21...23))
        #expect(talk.type("") == ["That was the end."])
        #expect(talk.type("back") == ["11 to 20 of 23."] + heroes(11...20))
        #expect(talk.type("back") == [title] + heroes(1...10))
        #expect(talk.type("back") == ["That was the beginning."])
    }

    @Test func noMoreIsAskedForThanIsReadOutAndTheNextTen() {
        let talk = Conversation(total: 1000)
        _ = talk.type("hero")
        #expect(talk.scene.wishes.compactMap(\.started).map(\.pageSize) == [10])
        #expect(talk.scene.model.search.results?.rows.count == 20)
        _ = talk.type("")
        #expect(talk.scene.model.search.results?.rows.count == 30)
    }

    @Test(arguments: [
        ("prefix", "1 character begins with “hero”."), ("word", "1 character has a word that begins with “hero”."),
        ("substring", "1 character contains “hero”."), ("fuzzy", "1 character is like “hero”."),
    ])
    func theTitleTellsHowNamesAreCompared(word: String, title: String) {
        let talk = Conversation(total: 1)
        _ = talk.type("match \(word)")
        #expect(talk.type("hero").first == title)
    }

    @Test func anotherMatchSearchesAnew() {
        let talk = Conversation(total: 2)
        #expect(talk.type("match word") == ["A search finds names that have a word that begins with it."])
        _ = talk.type("hero")
        #expect(talk.type("match substring") == ["2 characters contain “hero”."] + heroes(1...2))
    }

    @Test func nothingFoundSaysWhatElseCouldBeTried() {
        let talk = Conversation(total: 0)
        let hint = " Type match fuzzy to forgive typing mistakes."
        #expect(talk.type("hreo") == ["Nothing found: no character begins with “hreo”." + hint])
        #expect(talk.type("match fuzzy") == ["Nothing found: no character is like “hreo”."])
        #expect(talk.type("1") == ["No number has been read out yet."])
    }

    @Test func theSameSearchIsReadOnceMore() {
        let talk = Conversation(total: 1)
        let lines = ["1 character begins with “hero”.", "1: Hero 0."]
        #expect(talk.type("hero") == lines + [attribution])
        #expect(talk.type("hero") == lines)
    }

    @Test func favoritesAreMarkedAndReadInTheirOrder() {
        let talk = Conversation(total: 3, live: [3, 1])
        let lines = ["3 characters begin with “hero”.", "1: Hero 0, favorite.", "2: Hero 1.", "3: Hero 2, favorite."]
        #expect(talk.type("hero") == lines + [attribution])
        let favorites = ["2 of at most 5 favorites, oldest first.", "1: Hero 2.", "2: Hero 0."]
        #expect(talk.type("f") == favorites + [attribution])
        #expect(talk.type("favorites") == favorites)
        #expect(talk.type("s") == lines)
    }

    @Test func theResultsAreReadAgainWhereTheyWereLeft() {
        let talk = Conversation(total: 12)
        #expect(talk.type("s") == ["Nothing has been searched for yet."])
        _ = talk.type("hero")
        _ = talk.type("")
        #expect(talk.type("f") == ["No favorites yet: search for a character, and type its number."])
        #expect(
            talk.type("search") == ["12 characters begin with “hero”. Here are 11 to 12; an empty line reads on."]
                + heroes(11...12)
        )
    }

    @Test func aLongListOfFavoritesIsReadInPartsToo() {
        let talk = Conversation(live: Array(1...12))
        #expect(talk.type("f").first == "12 of at most 5 favorites, oldest first. Here are 1 to 10.")
        #expect(talk.type("").dropFirst() == ["11: Hero 10.", "12: Hero 11."])
    }

    @Test func theListIsWaitedForBeforeItIsRead() {
        let talk = Conversation(live: nil)
        #expect(talk.type("f") == [])
        #expect(talk.isWaiting)
        let lines = talk.hear { $0.live([2]) }
        #expect(lines == ["1 of at most 5 favorites, oldest first.", "1: Hero 1.", attribution])
        #expect(!talk.isWaiting)
    }

    @Test func aNumberRunsARecentSearch() {
        let talk = Conversation(total: 1)
        #expect(talk.type("recent") == ["Recent searches, newest first; a number runs one.", "1: thor."])
        #expect(talk.type("show 1") == ["1 is a search for “thor”. Type 1 to run it."])
        #expect(talk.type("1").first == "1 character begins with “thor”.")
    }

    @Test func aNumberMeansWhatWasReadOutLast() {
        let talk = Conversation(total: 23, live: [7])
        #expect(talk.type("show 3") == ["No number has been read out yet."])
        _ = talk.type("hero")
        _ = talk.type("")
        #expect(talk.type("show 3").first == "Hero 2.")
        #expect(talk.type("21") == ["Numbers are 1 to 20. To search for 21, type /21."])
        _ = talk.type("f")
        #expect(talk.type("2") == ["The only number is 1."])
        #expect(talk.type("show 1").first == "Hero 6. A favorite since 1970-01-01.")
    }

    @Test func aDetailIsReadInSentences() {
        let talk = Conversation(live: nil)
        var character = MarvelCharacter.number(0)
        character.name = " Spider\u{1B}-Man\n"
        character.description = "Bitten\nby a spider."
        (character.comicCount, character.seriesCount, character.storyCount) = (1204, 1, 2)
        character.urls = [CharacterURL(type: "wiki", url: "http://marvel.com/a")]
        let list = FavoritesList(
            favorites: [Favorite(character: character, savedAt: Timestamp(seconds: 86_400))],
            revision: 1,
            capacity: 1
        )
        _ = talk.hear { $0.send(.favorites(FavoritesState(list: list, connection: .live))) }
        #expect(talk.type("f") == ["1 of at most 1 favorite, oldest first.", "1: Spider\u{FFFD}-Man."])
        #expect(
            talk.type("show 1") == [
                "Spider\u{FFFD}-Man. A favorite since 1970-01-02.", "Bitten by a spider.",
                "In 1,204 comics, 1 series, 2 stories and 0 events.", "Link, wiki: http://marvel.com/a",
            ]
        )
    }

    @Test func oldDataIsSaidOnceForASearch() {
        let talk = Conversation(total: 20)
        talk.isServed = false
        let old = FoundPage(
            characters: (0..<20).map { .number($0) },
            total: 20,
            attribution: attribution,
            isStale: true
        )
        _ = talk.type("hero")
        let lines = talk.hear { $0.send(.search(SearchID(1), .page(old))) }
        #expect(lines.suffix(2) == ["This data may be outdated: the source is unreachable.", attribution])
        #expect(talk.type("").last == "20: Hero 19.")
    }

    @Test(
        arguments: [
            (.text("x"), "“x” is no command, and a search needs two letters. Type help for the commands."),
            (.text("match"), "Type match and one of prefix, word, substring, fuzzy, or /match to search for that."),
            (.text("show"), "Type show and a number that was read out, or /show to search for that."),
            (.text("more"), "Nothing has been read out yet. Type a character's name to search for it, or help."),
            (.text("retry"), "Nothing has failed that could be tried again."),
            (.text(String(repeating: "a", count: 101)), "A search has at most 100 letters; these are 101."),
            (.tooLong, "That line is too long. A search has at most 100 letters."),
        ] as [(PlainLine, String)]
    )
    func wrongInputIsToldWhatIsPossible(line: PlainLine, sentence: String) {
        #expect(Conversation().type(line) == [sentence])
    }

    @Test func helpNamesEveryCommand() {
        let help = Conversation().type("?").joined(separator: " ")
        for word in [
            "show", "more", "back", "favorites", "search", "recent", "match", "about", "retry", "help", "quit",
        ] {
            #expect(help.contains(word))
        }
    }
}
