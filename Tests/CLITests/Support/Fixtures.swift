import MarvelClient
import MarvelDomain
import WireMessages

let peter = MarvelCharacter(
    id: 1_009_610,
    name: "Spider-Man (Peter Parker)",
    description: "Bitten by a spider, he climbs walls and makes jokes while New York throws villains at him.",
    modified: Timestamp(seconds: 1_400_000_000),
    thumbnail: Thumbnail(path: "emblem/1009610", fileExtension: "png"),
    comicCount: 4_238,
    seriesCount: 1_100,
    storyCount: 6_000,
    eventCount: 37,
    urls: [CharacterURL(type: "detail", url: "http://marvel.example/1009610")]
)
let ham = MarvelCharacter(id: 1_011_347, name: " Spider-Ham (Larval Earth)", comicCount: 12)
let wide = MarvelCharacter(id: 1_017_100, name: "스파이더맨 🕷️", comicCount: 3)

let attribution = "Data provided by Marvel."

/// The first of two pages: one favorite among two.
let firstPage = SearchCharactersResponse(
    characters: [ham, peter],
    total: 3,
    nextPageToken: "dG9rZW4",
    favoriteIDs: [peter.id],
    attribution: attribution,
    freshness: Freshness(source: .builtIn)
)
let lastPage = SearchCharactersResponse(
    characters: [wide],
    total: 3,
    attribution: attribution,
    freshness: Freshness(source: .builtIn)
)

let savedPeter = Favorite(character: peter, savedAt: Timestamp(seconds: 1_767_603_072, nanoseconds: 5_000_000))
let savedHam = Favorite(character: ham, savedAt: Timestamp(seconds: 1_767_603_000))
