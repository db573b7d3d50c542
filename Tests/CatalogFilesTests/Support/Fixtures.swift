internal import MarvelDomain

@testable internal import CatalogFiles

/// A character with something in every field.
let spider = MarvelCharacter(
    id: 1_009_610,
    name: "Spider-Man (Peter Parker)",
    description: "Bitten by a spider, he climbs walls.",
    modified: Timestamp(seconds: 1_400_000_000),
    thumbnail: Thumbnail(path: "https://i.annihil.us/u/prod/marvel/i/mg/3/50/526548a343e4b", fileExtension: "jpg"),
    comicCount: 4043,
    seriesCount: 1000,
    storyCount: 6000,
    eventCount: 30,
    urls: [CharacterURL(type: "wiki", url: "http://marvel.com/universe/Spider-Man")]
)
let thor = MarvelCharacter(id: 1_009_664, name: "Thor")
let marvel = CatalogOrigin(name: "answers.json", attribution: "Data provided by Marvel.", readAt: Timestamp(seconds: 5))
let noon = Timestamp(seconds: 1_700_000_000)

/// Makes a catalog file of these characters.
func makeCatalog(
    _ path: String,
    _ characters: [MarvelCharacter] = [spider, thor],
    origins: [CatalogOrigin] = [marvel],
    replacing: Bool = false
) throws {
    let writer = try CatalogFileWriter(path)
    try writer.write { batch in
        for character in characters { try batch.put(character) }
        for origin in origins { try batch.add(origin) }
    }
    try writer.finish(at: noon, replacing: replacing)
}

extension CatalogFileReader {
    func characters() throws -> [MarvelCharacter] { try withCharacters { Array($0) } }
}
