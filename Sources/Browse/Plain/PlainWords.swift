internal import MarvelDomain

/// The texts of the plain view. They are whole sentences that can be understood without a screen.
enum PlainWords {
    static let retryHint = " Type retry to try again."

    static let help = [
        "Type a name, or part of one, to search for it.",
        "A number saves the character that was read out under it, or removes it from your favorites.",
        "show and a number tells more about a character.",
        "more, or an empty line, reads the next ten; back reads the ten before.",
        "favorites, or f, reads your favorites; search, or s, reads the results again.",
        "recent reads your recent searches; a number runs one.",
        "match and one of prefix, word, substring, fuzzy sets how names are compared.",
        "about tells about the server and its catalog.",
        "retry, or r, tries again what has failed.",
        "help, or a question mark, reads this; quit, or q, ends.",
        "To search for a word that is a command, put a slash before it.",
    ]

    // MARK: Lists

    static func title(of results: Results, at places: Range<Int>, isFirst: Bool) -> String {
        let part = "\(places.lowerBound + 1) to \(places.upperBound)"
        guard isFirst else { return "\(part) of \(results.count.grouped)." }
        let what = "\(results.count.counted("character")) \(results.match.words(count: results.count))"
        let more = places.count < results.count ? " Here are \(part); an empty line reads on." : ""
        return "\(what) “\(results.query)”.\(more)"
    }

    static func nothing(_ results: Results) -> [String] {
        let what = "Nothing found: no character \(results.match.words(count: 1)) “\(results.query)”."
        return [what + (results.match == .fuzzy ? "" : " Type match fuzzy to forgive typing mistakes.")]
    }

    static func title(of list: FavoritesList, at places: Range<Int>) -> String {
        let count = list.favorites.count
        guard count > 0 else { return "No favorites yet: search for a character, and type its number." }
        let part = places.count < count ? " Here are \(places.lowerBound + 1) to \(places.upperBound)." : ""
        return "\(count.grouped) of at most \(list.capacity.counted("favorite")), oldest first.\(part)"
    }

    // MARK: One character

    static func detail(of character: MarvelCharacter, in model: BrowseModel) -> [String] {
        var first = "\(character.shownName)."
        if let savedAt = model.savedAt(character.id) {
            first += " A favorite since \(CivilTime(seconds: savedAt.seconds).date)."
        } else if model.isFavorite(character.id) {
            first += " A favorite."
        }
        return [first, character.description.isEmpty ? "There is no description." : character.description]
            + counts(of: character)
            + character.urls.map { "Link, \($0.type): \($0.url)" }
    }

    /// Returns a sentence with the numbers of comics, series, stories and events; empty if the source provides none.
    private static func counts(of character: MarvelCharacter) -> [String] {
        let isCounted = [character.comicCount, character.seriesCount, character.storyCount, character.eventCount]
            .contains { $0 > 0 }
        guard isCounted else { return [] }
        let counts = [
            Int(character.comicCount).counted("comic"),
            character.seriesCount == 1 ? "1 series" : "\(Int(character.seriesCount).grouped) series",
            Int(character.storyCount).counted("story", "stories"),
        ]
        return ["In \(counts.joined(separator: ", ")) and \(Int(character.eventCount).counted("event"))."]
    }

    // MARK: Other clients

    static func othersSaved(_ characters: [MarvelCharacter]) -> [String] {
        characters.isEmpty ? [] : ["Another client saved \(names(characters))."]
    }

    static func othersRemoved(_ characters: [MarvelCharacter]) -> [String] {
        characters.isEmpty ? [] : ["Another client removed \(names(characters))."]
    }

    static func madeRoom(_ characters: [MarvelCharacter]) -> [String] {
        characters.isEmpty ? [] : ["\(names(characters)) left your favorites to make room."]
    }

    private static func names(_ characters: [MarvelCharacter]) -> String {
        guard characters.count <= 3 else { return characters.count.counted("character") }
        let names = characters.map(\.shownName)
        return names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }

    // MARK: Failures

    static func sentence(for failure: FailureNotice) -> String { failure.text + (failure.canRetry ? retryHint : "") }

    static func unknown(_ number: Int, in reading: PlainReading?) -> String {
        guard let numbers = reading?.numbers else { return "No number has been read out yet." }
        let (first, last) = (numbers.lowerBound, numbers.upperBound)
        let known = first == last ? "The only number is \(first)." : "Numbers are \(first) to \(last)."
        // One digit is too short for a search. `Int.max` stands for a number that is too large to repeat.
        return known + (10..<Int.max ~= number ? " To search for \(number), type /\(number)." : "")
    }

    static func sentence(for problem: PlainInput.Problem) -> String {
        switch problem {
        case .shortText(let text) where text.isEmpty: "A search needs two letters. \(PlainView.greeting)"
        case .shortText(let text):
            "“\(text)” is no command, and a search needs two letters. Type help for the commands."
        case .longText(let refusal): refusal.words
        case .showWithoutNumber: "Type show and a number that was read out, or /show to search for that."
        case .unknownMatch: "Type match and one of prefix, word, substring, fuzzy, or /match to search for that."
        case .longLine: "That line is too long. A search has at most 100 letters."
        }
    }
}

extension Match {
    /// Returns the verb of "characters … query" for a number of characters.
    func words(count: Int) -> String {
        switch self {
        case .prefix: count == 1 ? "begins with" : "begin with"
        case .wordPrefix: count == 1 ? "has a word that begins with" : "have a word that begins with"
        case .substring: count == 1 ? "contains" : "contain"
        case .fuzzy: count == 1 ? "is like" : "are like"
        }
    }
}

extension Int {
    /// Returns the number with a noun, for example `1 comic` or `1,204 comics`.
    fileprivate func counted(_ one: String, _ many: String? = nil) -> String {
        "\(grouped) \(self == 1 ? one : many ?? one + "s")"
    }
}
