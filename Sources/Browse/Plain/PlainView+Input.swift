internal import MarvelDomain
internal import TerminalUI

extension PlainView {
    mutating func reply(to input: PlainInput) -> Reply {
        var reply = answer(input)
        reply.sentences = reply.sentences.map(\.printable)
        return reply
    }

    private mutating func answer(_ input: PlainInput) -> Reply {
        switch input {
        case .search(let text):
            placeInResults = 0
            expect(.reading(.results, from: 0))
            return ask(.search(text), .show(0..<PlainReading.pageSize))
        case .choose(let number): return choose(number)
        case .show(let number): return show(number)
        case .more: return turn(\.next, otherwise: "That was the end.")
        case .back: return turn(\.previous, otherwise: "That was the beginning.")
        case .favorites: return read(.favorites, from: 0)
        case .recent: return read(.recentSearches, from: 0)
        case .results:
            let isThere = model.search.results != nil || model.search.pendingResults != nil
            return isThere ? read(.results, from: placeInResults) : say("Nothing has been searched for yet.")
        case .match(let match): return compare(match)
        case .about:
            expect(.about)
            return ask(.about)
        case .retry: return retry()
        case .help: return Reply(sentences: PlainWords.help)
        case .quit: return quit()
        case .invalid(let problem): return say(PlainWords.sentence(for: problem))
        }
    }

    private func say(_ sentence: String) -> Reply { Reply(sentences: [sentence]) }

    private func ask(_ requests: BrowseRequest...) -> Reply { Reply(events: requests.map(BrowseEvent.requested)) }

    // MARK: Numbers

    private mutating func choose(_ number: Int) -> Reply {
        switch reading?[number] {
        case .character(let character):
            guard pendingChanges[character.id] == nil else { return say("No answer yet for \(character.shownName).") }
            return want(character, isFavorite: !model.isFavorite(character.id))
        case .search(let text): return answer(.search(text))
        case nil: return say(PlainWords.unknown(number, in: reading))
        }
    }

    private mutating func want(_ character: MarvelCharacter, isFavorite: Bool) -> Reply {
        if refused?.character.id == character.id { refused = nil }
        pendingChanges[character.id] = FavoriteChange(character: character, isFavorite: isFavorite)
        return ask(.favorite(character, isFavorite))
    }

    private func show(_ number: Int) -> Reply {
        switch reading?[number] {
        case .character(let character): return Reply(sentences: PlainWords.detail(of: character, in: model))
        case .search(let text): return say("\(number) is a search for “\(text)”. Type \(number) to run it.")
        case nil: return say(PlainWords.unknown(number, in: reading))
        }
    }

    // MARK: Lists

    private mutating func read(_ list: CardList, from place: Int) -> Reply {
        expect(.reading(list, from: place))
        return list == .results ? ask(.show(place..<place + PlainReading.pageSize)) : Reply()
    }

    /// Turns to another page of the list that was read out last.
    private mutating func turn(_ place: (PlainReading) -> Int?, otherwise end: String) -> Reply {
        if case .reading = awaited?.answer, isWaiting { return say("The answer has not come yet.") }
        guard let reading else { return say("Nothing has been read out yet. \(PlainView.greeting)") }
        guard let place = place(reading) else { return say(end) }
        return read(reading.list, from: place)
    }

    private mutating func compare(_ match: Match) -> Reply {
        let isSearched = model.search.query != nil
        placeInResults = 0
        if isSearched { expect(.reading(.results, from: 0)) }
        var reply = ask(.compare(match), .show(0..<PlainReading.pageSize))
        if !isSearched { reply.sentences = ["A search finds names that \(match.words(count: 2)) it."] }
        return reply
    }

    // MARK: The rest

    private mutating func retry() -> Reply {
        var reply = Reply()
        if let refused { reply = want(refused.character, isFavorite: refused.isFavorite) }
        if model.search.failure?.canRetry == true {
            expect(.reading(.results, from: awaited?.placeInResults ?? placeInResults))
        } else if model.favorites.connection.failure != nil {
            awaitConnection()
        } else if model.favorites.connection == .connecting {
            return reply.events.isEmpty ? say("It is being tried already.") : reply
        } else {
            return reply.events.isEmpty ? say("Nothing has failed that could be tried again.") : reply
        }
        reply.events.append(.requested(.retry))
        return reply
    }

    /// Awaits the connection, or an earlier unanswered request that needs the connection.
    private mutating func awaitConnection() {
        guard let awaited, !awaited.hasFailed || awaited.answer.isOfFavorites else { return expect(.connection) }
        expect(awaited.answer)
    }

    private func quit() -> Reply {
        let names = pendingChanges.values.map(\.character.shownName).sorted()
        var reply = ask(.quit)
        if !names.isEmpty { reply.sentences = ["No answer yet for \(names.joined(separator: ", "))."] }
        return reply
    }
}

extension PlainView.Awaited {
    /// The first place of the awaited results; nil if another answer is awaited.
    fileprivate var placeInResults: Int? {
        if case .reading(.results, let place) = answer { place } else { nil }
    }
}

extension PlainView.Awaited.Answer {
    fileprivate var isOfFavorites: Bool {
        if case .reading(.favorites, _) = self { true } else { false }
    }
}
