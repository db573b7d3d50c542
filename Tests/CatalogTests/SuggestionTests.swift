import CatalogReading
import MarvelDomain
import Testing
import WireMessages

@testable import Catalog

@Suite struct SuggestionTests {
    enum Kind: CaseIterable {
        case inMemory
        case large

        /// Returns the suggestions of the catalogs for the same names.
        func suggestions(_ names: [String], _ query: String, limit: Int) async throws -> [NameSuggestion] {
            try await suggestions(names.map { MarvelCharacter(id: 0, name: $0) }, query, limit: limit)
        }

        /// Returns the suggestions of the catalogs for the same characters, whatever their ids are.
        func suggestions(
            _ characters: [MarvelCharacter],
            _ query: String,
            limit: Int
        ) async throws -> [NameSuggestion] {
            let query = try SearchQuery(typed: query)
            let others = self == .large ? InMemoryCatalog.immediateCount : 0
            let filler = repeatElement(MarvelCharacter(id: 0, name: "~"), count: others)
            let characters = (characters + filler).enumerated().map { number, character in
                MarvelCharacter(id: Int64(number + 1), name: character.name, comicCount: character.comicCount)
            }
            let catalog = InMemoryCatalog(characters, kind: .builtIn, attribution: "", source: .builtIn)
            return try await catalog.suggestions(for: query, limit: limit).value.suggestions
        }
    }

    private static let names = [
        "Captain America", "Captain Marvel", "Capwolf", "Iron Man", "Spider-Man", "Spider-Man (Peter Parker)", "Thor",
        "Old Captain", "Spider-Man", "Man-Thing", "Storm", "Uncap",
    ]

    @Test(
        arguments: Kind.allCases,
        [
            // Names that begin with it, in name order; then words that do.
            ("cap", ["Captain America", "Captain Marvel", "Capwolf"], ["Old Captain"], []),
            ("man", ["Man-Thing"], ["Iron Man", "Spider-Man", "Spider-Man (Peter Parker)"], []),
            // Punctuation counts at first, and then no longer.
            ("spider-m", ["Spider-Man", "Spider-Man (Peter Parker)"], [], []),
            ("spider man", [], ["Spider-Man", "Spider-Man (Peter Parker)"], []),
            ("s", ["Spider-Man", "Spider-Man (Peter Parker)", "Storm"], [], []),
            // Typing mistakes, since hardly anything begins so.
            ("spidrman", [], [], ["Spider-Man", "Spider-Man (Peter Parker)"]),
            ("captan", [], [], ["Captain America", "Captain Marvel", "Old Captain"]),
            ("capw", ["Capwolf"], [], ["Captain America", "Captain Marvel", "Old Captain"]),
            ("capt marvel", [], ["Captain Marvel"], []), ("the thor", [], ["Thor"], []),
            ("thorr", [], [], ["Thor"]), ("zzzz", [], [], []), ("--", [], [], []),
        ]
    )
    func theBestCompletionsComeFirst(
        _ kind: Kind,
        _ example: (typed: String, prefix: [String], wordPrefix: [String], fuzzy: [String])
    ) async throws {
        let expected =
            example.prefix.map { NameSuggestion($0, match: .prefix) }
            + example.wordPrefix.map { NameSuggestion($0, match: .wordPrefix) }
            + example.fuzzy.map { NameSuggestion($0, match: .fuzzy) }
        #expect(try await kind.suggestions(Self.names, example.typed, limit: 10) == expected)
    }

    @Test(arguments: Kind.allCases)
    func aNameOfOtherCodePointsIsTheSame(_ kind: Kind) async throws {
        let suggestions = try await kind.suggestions(["Caf\u{E9}", "Cafe\u{301}", "Cafeteria"], "caf", limit: 10)
        #expect(suggestions.count == 2)
    }

    @Test(arguments: Kind.allCases)
    func namesOfOneKindAreRankedByComicsAndThenByName(_ kind: Kind) async throws {
        let comics: [(String, Int32)] = [
            ("Spider-Girl", 60), ("Spider-Gwen", 108), ("Spider-Man", 4238), ("Spider-Ham", 60), ("Old Spider", 7),
            ("Black Spider", 9), ("Spider", 1), ("Spyder", 5_000),
        ]
        let characters = comics.map { MarvelCharacter(id: 0, name: $0.0, comicCount: $0.1) }
        let found = try await kind.suggestions(characters, "spider", limit: 10).map(\.name)
        #expect(
            found == [
                "Spider-Man", "Spider-Gwen", "Spider-Girl", "Spider-Ham", "Spider", "Black Spider", "Old Spider",
            ]
        )
        // The limit takes the first of them.
        #expect(try await kind.suggestions(characters, "spider", limit: 2).map(\.name) == Array(found.prefix(2)))
        // Of corrections the nearest come first, and only then those with the most comics.
        let corrections = [("Spidor", 1), ("Spidex", 2), ("Spidoxx", 900)] as [(String, Int32)]
        let similar = try await kind.suggestions(
            corrections.map { MarvelCharacter(id: 0, name: $0.0, comicCount: $0.1) },
            "spider",
            limit: 10
        )
        #expect(similar.map(\.name) == ["Spidex", "Spidor"])
    }

    @Test(arguments: Kind.allCases, [1, 2, 3, 50])
    func noMoreNamesThanAskedForAndEachOnce(_ kind: Kind, _ limit: Int) async throws {
        let names = (0..<200).map { "Spider-\($0 / 2)" }
        let suggested = try await kind.suggestions(names, "sp", limit: limit).map(\.name)
        #expect(suggested.count == limit)
        #expect(Set(suggested).count == limit)
        #expect(suggested == suggested.sorted())
    }

    /// Ranges within blocks, over whole ones, and over parts of some.
    @Test(arguments: [1, 7, 100, 2048], [1, 10, 50])
    func aRankingIsThatOfAllCharactersInTheRange(_ blockSize: Int, _ count: Int) {
        let characters = (0..<1000).map { number in
            MarvelCharacter(id: Int64(number + 1), name: "A \(1000 + number)", comicCount: Int32(number * 7919 % 211))
        }
        let index = CharacterIndex(characters, limits: .init(characters: blockSize))
        for range in [0..<1000, 0..<0, 1000..<1000, 3..<4, 90..<110, 130..<730, 999..<1000, 1..<999] {
            // A sort keeps the order of equal elements.
            let ranked = range.sorted { characters[$0].comicCount > characters[$1].comicCount }
            #expect(Array(index.mostComics(in: range, count: count).positions) == Array(ranked.prefix(count)))
            var ranking = ComicsRanking(maximumCount: count)
            // A character may be offered twice.
            for positions in [range.reversed(), Array(range.suffix(20))] { index.rank(positions, in: &ranking) }
            #expect(Array(ranking.positions) == Array(ranked.prefix(count)))
        }
    }

    @Test func oneNameOfManyCharactersHidesNoOther() async throws {
        let names = [String](repeating: "Spider-Man", count: 500) + ["Spider-Woman"]
        let characters = names.map { MarvelCharacter(id: 0, name: $0, comicCount: $0 == "Spider-Woman" ? 1 : 2) }
        let suggested = try await Kind.inMemory.suggestions(characters, "spider", limit: 2)
        #expect(suggested.map(\.name) == ["Spider-Man", "Spider-Woman"])
    }

    /// No name begins with the whole text, and nearly every name has a word that begins with its letters.
    @Test func aWordOfManyNamesIsNotRankedOnTheEventLoop() throws {
        let characters = (0..<10_000).map { MarvelCharacter(id: Int64($0 + 1), name: "A s\($0)") }
        let catalog = InMemoryCatalog(characters, kind: .builtIn, attribution: "", source: .builtIn)
        guard case .later = try catalog.suggestions(for: SearchQuery(typed: "-s"), limit: 10) else {
            Issue.record("10,000 words are ranked on an event loop")
            return
        }
    }

    @Test func theFirstLettersAreAnsweredImmediately() throws {
        let catalog = SyntheticCharacters(count: InMemoryCatalog.immediateCount + 1).catalog()
        guard case .ready(let names) = try catalog.suggestions(for: SearchQuery(typed: "m"), limit: 10) else {
            Issue.record("a prefix with many names must not wait")
            return
        }
        #expect(names.count == 10)
        guard case .later = try catalog.suggestions(for: SearchQuery(typed: "zzz"), limit: 10) else {
            Issue.record("looking at every name of a large catalog is not done on an event loop")
            return
        }
    }
}
