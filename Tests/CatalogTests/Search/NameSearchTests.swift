import CatalogReading
import MarvelDomain
import Testing

@testable import Catalog

@Suite struct NameSearchTests {
    private static let builtIn = CharacterIndex(BuiltInCatalog.characters())
    private static let others: [Match] = [.wordPrefix, .substring, .fuzzy]

    private func names(_ query: String, _ match: Match, in index: CharacterIndex = builtIn) throws -> [String] {
        try NameSearch(query, match).positions(in: index).map { index.name(at: Int($0)) }
    }

    @Test(arguments: [
        ("yamashiro", Match.wordPrefix, "Spider-Man (Takuya Yamashiro)"),
        ("man", .wordPrefix, "Spider-Man (Takuya Yamashiro)"),
        ("spider man", .wordPrefix, "Spider-Man"), ("spiderman", .wordPrefix, "Spider-Man"),
        ("SPIDER--MAN", .wordPrefix, "Spider-Man"), ("ironman", .wordPrefix, "Iron Man"),
        ("man takuya", .wordPrefix, "Spider-Man (Takuya Yamashiro)"), ("modok", .wordPrefix, "M.O.D.O.K."),
        ("a.i.m", .wordPrefix, "A.I.M."), ("arana", .wordPrefix, "Araña"), ("challa", .wordPrefix, "T'Challa"),
        ("rine", .substring, "Wolverine"), ("piderma", .substring, "Spider-Man"), ("raña", .substring, "Araña"),
        ("odok", .substring, "M.O.D.O.K."), ("n america", .substring, "Captain America"),
        ("spidrman", .fuzzy, "Spider-Man"), ("wolvrine", .fuzzy, "Wolverine"),
        ("captan america", .fuzzy, "Captain America"),
        ("wolverien", .fuzzy, "Wolverine"), ("woulverine", .fuzzy, "Wolverine"), ("holk", .fuzzy, "Hulk"),
        ("thro", .fuzzy, "Thor"), ("doctor strnage", .fuzzy, "Doctor Strange"), ("magnteo", .fuzzy, "Magneto"),
    ])
    func typicalQueriesFindTheirCharacters(_ query: String, _ match: Match, _ name: String) throws {
        #expect(try names(query, match).contains(name))
    }

    /// Each way of writing finds the same character, whichever search is made.
    @Test(
        arguments: [Match.wordPrefix, .fuzzy],
        [
            ("the hulk", "Hulk"), ("the thing", "Thing"), ("dr doom", "Doctor Doom"), ("dr. doom", "Doctor Doom"),
            ("doc ock", "Doctor Octopus"), ("dr octopus", "Doctor Octopus"), ("capt america", "Captain America"),
            ("cap america", "Captain America"), ("capt. amer", "Captain America"), ("prof x", "Professor X"),
            ("prof. x", "Professor X"), ("ms marvel", "Captain Marvel (Carol Danvers)"), ("miss marvel", "Ms. Marvel"),
            ("mrs marvel", "Ms. Marvel"), ("ms. marvel", "Ms. Marvel"), ("agents of shield", "S.H.I.E.L.D."),
            ("agent of s.h.i.e.l.d.", "S.H.I.E.L.D."), ("doctor strange", "Dr. Strange"),
            ("doc strange", "Dr. Strange"),
            ("mr sinister", "Mister Sinister"), ("mister fantastic", "Mr. Fantastic"), ("dr samson", "Doc Samson"),
            ("st elmo", "Saint Elmo"), ("a hulk", "Hulk"), ("an hulk", "Hulk"), ("the dr doom", "Doctor Doom"),
        ]
    )
    func titlesAndArticlesAreWrittenInManyWays(_ match: Match, _ example: (query: String, name: String)) throws {
        let names = [
            "Hulk", "Thing", "Doctor Doom", "Doctor Octopus", "Captain America", "Professor X",
            "Captain Marvel (Carol Danvers)", "Ms. Marvel", "S.H.I.E.L.D.", "Dr. Strange", "Mister Sinister",
            "Mr. Fantastic", "Doc Samson", "Saint Elmo", "She-Hulk", "Thor", "Storm", "Drax", "Cap'n Oz",
        ]
        let index = CharacterIndex(names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) })
        #expect(try self.names(example.query, match, in: index).contains(example.name))
    }

    /// The names of a real catalog: what people type comes before all others.
    @Test(
        arguments: [Match.wordPrefix, .fuzzy],
        [
            ("the hulk", "Hulk"), ("the thing", "Thing"), ("dr doom", "Doctor Doom"), ("doc ock", "Doctor Octopus"),
            ("capt america", "Captain America"), ("prof x", "Professor X"), ("agents of shield", "S.H.I.E.L.D."),
        ]
    )
    func theMostLikelyNameComesFirst(_ match: Match, _ example: (query: String, name: String)) throws {
        #expect(try names(example.query, match).first == example.name)
    }

    /// A title alone is the beginning of a word, and an article alone is one.
    @Test(arguments: [
        ("st", "Saint Elmo"), ("dr", "Doctor Doom"), ("the", "Hulk"), ("the h", "Hulk"), ("strange dr", "Doctor"),
    ])
    func aTitleIsFollowedByAName(_ query: String, _ name: String) throws {
        let index = CharacterIndex([MarvelCharacter(id: 1, name: name)])
        #expect(try names(query, .wordPrefix, in: index).isEmpty)
    }

    @Test(arguments: [Match.wordPrefix, .substring, .fuzzy])
    func theNameThatWasTypedComesFirst(_ match: Match) throws {
        let names = ["A Hulk", "Bruce Banner/Hulk", "Hulk", "Hulkling", "Hulk (LEGO)", "She-Hulk", "HULK"]
        let index = CharacterIndex(names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) })
        #expect(try self.names("hulk", match, in: index).prefix(2) == ["HULK", "Hulk"])
        if match != .substring { #expect(try self.names("the hulk", match, in: index).prefix(2) == ["HULK", "Hulk"]) }
    }

    /// Names with every typed word come before names without the article.
    @Test func theTypedQueryRanksAboveItsShortenedForm() throws {
        let names = ["Hood", "The Hood", "Hoodwink", "Hidden Hood"]
        let index = CharacterIndex(names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) })
        #expect(try self.names("the hood", .fuzzy, in: index) == ["The Hood", "Hood", "Hoodwink", "Hidden Hood"])
    }

    @Test(arguments: [
        ("amashiro", Match.wordPrefix, "Spider-Man (Takuya Yamashiro)"), ("pider", .wordPrefix, "Spider-Man"),
        ("takuya spider", .wordPrefix, "Spider-Man (Takuya Yamashiro)"), ("spidrman", .substring, "Spider-Man"),
        ("hlk", .fuzzy, "Hulk"), ("wlvrne", .fuzzy, "Wolverine"), ("olverine", .wordPrefix, "Wolverine"),
    ])
    func distantNamesAreNotFound(_ query: String, _ match: Match, _ name: String) throws {
        #expect(try !names(query, match).contains(name))
    }

    @Test(arguments: others, ["--", "()", "!?", "\u{301}\u{302}"])
    func aQueryWithNothingToCompareFindsNothing(_ match: Match, _ query: String) throws {
        #expect(try names(query, match).isEmpty)
    }

    @Test func theBestComesFirst() throws {
        let names = ["Captain America", "Captai", "Captan", "Old Captain", "Captain", "Captains", "A Captan", "Kaptan"]
        let index = CharacterIndex(names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) })
        let expected = [
            // Without a mistake: the whole name, then a word elsewhere.
            "Captan", "A Captan",
            // With one: whole names in name order, words of the beginning, its letters, words elsewhere.
            "Captai", "Captain", "Kaptan", "Captain America", "Captains", "Old Captain",
        ]
        #expect(try self.names("captan", .fuzzy, in: index) == expected)
    }

    @Test func namesInOtherScriptsAreFound() throws {
        let names = ["에이전트 카터", "스파이더맨", "蜘蛛侠", "🕷️🕸️ Weaver", "Ünal", "Łódź", "Ωmega Flight", "נעמה", "सुपर्णा"]
        let index = CharacterIndex(names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) })
        let table: [(String, Match, String)] = [
            ("에이", .wordPrefix, names[0]), ("카터", .wordPrefix, names[0]), ("이전", .substring, names[0]),
            // As it is typed: ㅅㅡㅍㅏㅇㅣㄷㅓㅁ, and with ㅗ for ㅓ.
            ("스파이더ㅁ", .fuzzy, names[1]), ("스파이도맨", .fuzzy, names[1]), ("파이더", .substring, names[1]),
            ("蛛侠", .substring, names[2]), ("🕷🕸", .wordPrefix, names[3]), ("unal", .wordPrefix, names[4]),
            ("ŁÓDZ", .wordPrefix, names[5]), ("ωmgea", .fuzzy, names[6]), ("נעמה", .substring, names[7]),
            ("सुपर्ण", .wordPrefix, names[8]),
        ]
        for (query, match, name) in table {
            let found = try self.names(query, match, in: index)
            #expect(found == [name], "\(query)")
        }
    }

    /// Letters that make names which are near each other, in blocks of all sizes.
    private static func madeUpNames(_ choices: inout SeededRandom) -> [String] {
        let letters = ["a", "b", "c", "a", "b", "é", "-", " ", "'", "1", "에", "🕷", "ㅎ", "A", "\u{301}"]
        return (0..<130).map { number in
            let most = number % 10 == 0 ? 120 : 14
            return (0..<choices.number(below: most)).map { _ in choices.element(of: letters) }.joined()
        }
    }

    @Test(arguments: others, [1, 7, 64, 2048])
    func aSearchMatchesAScanOfAllNames(_ match: Match, _ blockSize: Int) throws {
        for seed in UInt64(0)..<2 {
            var choices = SeededRandom(seed: seed)
            let names = Self.madeUpNames(&choices)
            let characters = names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) }
            let index = CharacterIndex(characters, limits: .init(characters: blockSize))
            for _ in 0..<15 {
                let name = choices.element(of: names)
                let query = String(name.dropFirst(choices.number(below: 5)).prefix(1 + choices.number(below: 12)))
                let typed = choices.number(below: 2) == 0 ? query : String(query.reversed())
                try expect(typed, match, index)
            }
        }
    }

    /// A column of distances of 64 letters is one integer.
    @Test(arguments: [62, 63, 64, 65, 66, 100])
    func longTextsAreSearchedWithMistakesToo(_ count: Int) throws {
        var choices = SeededRandom(seed: UInt64(count))
        for _ in 0..<10 {
            let names = (0..<5).map { _ in
                (0..<count + choices.number(below: 6)).map { _ in choices.element(of: ["a", "b", "é"]) }.joined()
            }
            let index = CharacterIndex(names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) })
            var typed = Array(choices.element(of: names).prefix(count))
            for _ in 0..<choices.number(below: 4) {
                let place = choices.number(below: typed.count - 1)
                if choices.number(below: 2) == 0 { typed.swapAt(place, place + 1) } else { typed[place] = "c" }
            }
            try expect(String(typed), .fuzzy, index)
        }
    }

    private func expect(_ query: String, _ match: Match, _ index: CharacterIndex) throws {
        let positions = try NameSearch(query, match).positions(in: index).map(Int.init)
        let plain = PlainSearch(query)
        let names = (0..<index.count).map { index.name(at: $0) }
        let expected = names.indices.filter { plain.matches(names[$0], match) }
        if match == .fuzzy {
            let ranks = expected.map { (rank: plain.rank(of: names[$0]) ?? [], position: $0) }
            // Names of one rank are in name order.
            let inOrder = ranks.sorted { left, right in
                left.rank == right.rank
                    ? left.position < right.position : left.rank.lexicographicallyPrecedes(right.rank)
            }
            #expect(positions == inOrder.map(\.position), "\(query)")
        } else {
            // Whole names first, both in name order.
            let wholeNames = expected.filter { plain.isWholeName(names[$0], match) }
            #expect(positions == wholeNames + expected.filter { !wholeNames.contains($0) }, "\(query) \(match)")
        }
    }

    @Test func aCancelledTaskSearchesNoFurther() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try NameSearch("spider", .fuzzy).positions(in: Self.builtIn)
        }
        await #expect(throws: CatalogError.cancelled) { try await task.value }
    }
}
