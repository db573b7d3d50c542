internal import MarvelDomain
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

/// The merging of records of one character.
@Suite struct MergeTests {
    private static let full = """
        "description":"Written.","modified":"2014-04-29T14:18:17-0400",\
        "thumbnail":{"path":"http://i.annihil.us/u/1","extension":"jpg"},"comics":{"available":3},\
        "urls":[{"type":"detail","url":"http://marvel.com/1"}]
        """

    @Test func laterRecordsOnlyFillInMissingFields() async throws {
        let empty = answer(json(1, "Ant"))
        let full = answer(json(1, "Ant-Man", Self.full))
        let fullFirst = try await Imported(full, empty)
        let emptyFirst = try await Imported(empty, full)
        #expect(fullFirst.characters.map(\.name) == ["Ant-Man"])
        #expect(emptyFirst.characters.map(\.name) == ["Ant"])
        for imported in [fullFirst, emptyFirst] {
            let character = try #require(imported[1])
            #expect(character.description == "Written.")
            #expect(character.modified != nil)
            #expect(character.thumbnail?.path == "https://i.annihil.us/u/1")
            #expect(character.comicCount == 3)
            #expect(character.urls.count == 1)
            #expect(imported.report.mergedByID == 1)
        }
    }

    /// All records are in memory until they are merged.
    @Test func textsAreWithinTheirLimits() async throws {
        let long = String(repeating: "x", count: 20_000)
        let urls = #""urls":[{"type":"\#(long)","url":"http://m"},{"type":"wiki","url":"http://w"}]"#
        let character = try #require(try await Imported(json(1, long, urls))[1])
        #expect(character.name.utf8.count == CharacterLimits.nameBytes)
        #expect(character.urls == [CharacterURL(type: "wiki", url: "http://w")])
    }

    @Test func theFirstFileTakesPrecedence() async throws {
        let imported = try await Imported(
            json(1, "Ant", #""description":"First","comics":{"available":3}"#),
            json(1, "Ant", #""description":"Second","comics":{"available":9}"#)
        )
        #expect(imported[1]?.description == "First")
        #expect(imported[1]?.comicCount == 3)
    }

    @Test func aPlaceholderIsNotAPicture() async throws {
        let placeholder = #""thumbnail":{"path":"http://i.annihil.us/b/40/image_not_available","extension":"jpg"}"#
        let imported = try await Imported(json(1, "Ant", placeholder), json(1, "Ant", Self.full))
        #expect(imported[1]?.thumbnail?.path == "https://i.annihil.us/u/1")
        let alone = try await Imported(json(1, "Ant", placeholder), json(1, "Ant"))
        #expect(alone[1]?.thumbnail?.isPlaceholder == true)
    }

    /// Whatever order the files are in: a character has Marvel's id if one is known.
    @Test func otherDataSetsAreFoundByName() async throws {
        let marvel = answer(json(1_009_146, "Abomination (Emil Blonsky)"), json(1_009_610, "Ánt-Man"))
        let wiki = wikia("5,ANT-MAN (Earth-616),\\/Ant,,,,,,,,7,Aug-62,1962", "6,Nobody Else,,,,,,,,,,,")
        let heroes = "[\(superhero(8, "Abomination", fullName: "Emil Blonsky")), \(superhero(9, "Nobody  else"))]"
        for texts in [[marvel, wiki, heroes], [heroes, wiki, marvel], [wiki, marvel, heroes]] {
            let imported = try await Imported(texts.map { Array($0.utf8) })
            let ids = imported.characters.map(\.id)
            #expect(ids.starts(with: [1_009_146, 1_009_610]))
            #expect(ids.count == 3)
            #expect(imported[1_009_610]?.comicCount == 7)
            #expect(imported[1_009_610]?.description == "First appearance: August 1962.")
            #expect(imported[1_009_146]?.urls.map(\.type) == ["image"])
            #expect(imported.report.mergedByName == 3)
            #expect([100_000_006, 200_000_009].contains(ids[2]))
        }
    }

    @Test func idsDoNotDependOnTheOrderOfTheFiles() async throws {
        let texts = [
            answer(json(1, "Kara"), json(2, "Thor"), json(3, "THOR"), json(4, "Ant (Jo Tiny)")),
            wikia("10,Kara,,,,,,,,,1,,", "11,Kára,,,,,,,,,2,,", "12,Thor,,,,,,,,,3,,", "13,Zed,,,,,,,,,4,,"),
            "[\(superhero(8, "Zed", fullName: "Al")),\(superhero(9, "Zed", fullName: "Bo")),"
                + "\(superhero(7, "Ant", fullName: "Jo Tiny")),\(superhero(6, "Nobody"))]",
            wikia("13,Zed,,,,,,,,,4,,", "14,Lone,,,,,,,,,1,,", "14,Lone,,,,,,,,,1,,"),
            "[\(superhero(4, "Kara")),\(superhero(5, "Lone"))]",
        ]
        let expected = try await ids(texts)
        #expect(Set(expected.keys).isSuperset(of: 1...4))
        for (number, order) in Self.permutations(Array(texts.indices)).enumerated() where number.isMultiple(of: 5) {
            let found = try await ids(order.map { texts[$0] })
            #expect(found == expected, "\(order)")
        }
    }

    /// Returns the folded name of each id.
    private func ids(_ texts: [String]) async throws -> [Int64: String] {
        let imported = try await Imported(texts.map { Array($0.utf8) })
        return Dictionary(
            uniqueKeysWithValues: imported.characters.map { character in
                (character.id, String(character.name.prefix(3).lowercased().map { $0 == "á" ? "a" : $0 }))
            }
        )
    }

    private static func permutations(_ numbers: [Int]) -> [[Int]] {
        guard !numbers.isEmpty else { return [[]] }
        return numbers.flatMap { first in
            permutations(numbers.filter { $0 != first }).map { [first] + $0 }
        }
    }

    /// Numbers of one data set say nothing of those of another.
    @Test func idsOfDifferentDataSetsDoNotCollide() async throws {
        let imported = try await Imported(json(7, "Ant"), wikia("7,Bee,,,,,,,,,,,"), superhero(7, "Cat"))
        #expect(imported.characters.map(\.name) == ["Ant", "Bee", "Cat"])
        #expect(imported.characters.map(\.id) == [7, 100_000_007, 200_000_007])
    }

    /// Otherwise nobody could load the catalog.
    @Test func mergedCharactersAreWithinLimits() async throws {
        let occupation = String(repeating: "x", count: 5 << 20)
        let hero = superhero(7, "Ant").replacing(#""occupation":"-""#, with: #""occupation":"\#(occupation)""#)
        let link = String(repeating: "y", count: CharacterLimits.urlBytes / 2)
        let copies = (0..<4).map { json(1, "Bee", #""urls":[{"type":"t\#($0)","url":"http://a/\#(link)"}]"#) }
        let imported = try await Imported(([hero] + copies).map { Array($0.utf8) })
        #expect(imported[200_000_007]?.description.utf8.count == CharacterLimits.descriptionBytes)
        #expect(imported[1]?.urls.count == 1)
    }

    @Test func charactersOfOneDataSetAreNeverMerged() async throws {
        let imported = try await Imported(
            answer(json(1, "Kara"), json(2, "Thor"), json(3, "THOR")),
            wikia("10,Kara,,,,,,,,,1,,", "11,Kára,,,,,,,,,2,,", "12,Thor,,,,,,,,,3,,")
        )
        // The first takes the name; two of one name are left alone, as nobody can tell which it is.
        #expect(imported.characters.map(\.id) == [1, 2, 3, 100_000_011, 100_000_012])
        #expect(imported[1]?.comicCount == 1)
    }

    @Test func theSameFileTwiceChangesNothing() async throws {
        let texts = [answer(json(1, "Ant")), wikia("5,Ant,,,,,,,,,7,,", "6,Bee,,,,,,,,,7,,"), superhero(9, "Bee")]
        let once = try await Imported(texts.map { Array($0.utf8) })
        let twice = try await Imported((texts + texts).map { Array($0.utf8) })
        #expect(twice.characters == once.characters)
        #expect(twice.report.catalog?.attribution == once.report.catalog?.attribution)
    }

    /// An earlier catalog among the files keeps its ids.
    @Test func filesAreMergedIntoAnEarlierCatalog() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            var settings = CatalogImport(time: noon)
            let first = try folder.write("first", wikia("5,Ant,,,,,,,,,7,,", "6,Bee,,,,,,,,,7,,"))
            _ = try settings.run([first], into: path)

            settings.isReplacing = true
            let second = try folder.write("second", answer(json(1, "Cat")))
            let report = try settings.run([path, second, first], into: path)
            #expect(report.problems == [])
            let reader = try CatalogFileReader(path)
            #expect(try reader.characters().map(\.id) == [1, 100_000_005, 100_000_006])
            #expect(reader.description.origins.count == 2)
        }
    }

    @Test func picturesOfACatalogAreKept() async throws {
        try await withTemporaryFolder { folder in
            let gif = Picture(bytes: Array("GIF89a...".utf8), mediaType: .gif)
            let writer = try CatalogFileWriter(folder.file("old"))
            try writer.write { batch in
                try batch.put(thor)
                try batch.put(gif, of: thor.id, .detail)
            }
            try writer.finish(at: noon, replacing: false)
            _ = try CatalogImport(time: noon).run([folder.file("old")], into: folder.file("new"))
            let reader = try CatalogFileReader(folder.file("new"))
            #expect(try await reader.picture(of: thor.id, .detail) == gif)
        }
    }
}
