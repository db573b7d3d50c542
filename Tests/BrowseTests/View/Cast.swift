import Browse
import MarvelDomain
import TerminalUI

extension Scene {
    var view: BrowseView { BrowseView(model) }
    var screen: Screen { view.screen }
}

extension MarvelCharacter {
    static let cast = [
        sample(
            1_009_610,
            "Spider-Man (Peter Parker)",
            "Bitten by a radioactive spider, high school student Peter Parker gained the speed, strength and powers of"
                + " a spider. Adopting the name Spider-Man, he learned that with great power comes great responsibility.",
            comics: 4043
        ),
        sample(1_009_157, "Spider-Girl (Anya Corazon)", "A student who was given spider powers.", comics: 60),
        sample(1_011_347, "Spider-Ham (Larval Earth)", "", comics: 1),
        sample(1_017_603, "스파이더맨 누아르", "1933년 뉴욕의 탐정.", comics: 12),
        sample(1_010_727, "Spider-dok 🕷️🕸", "A spider-woman of another world: 👩‍🚀.", comics: 0),
        sample(1_009_609, "Spider-Woman (Jessica Drew)", "She was saved by a serum of spiders’ blood.", comics: 440),
        sample(1_014_858, "Spider-Man (Ultimate)", "", comics: 208),
        sample(1_011_114, "  Spider-Man (1602)\u{1B}[31m\n", "A name with \u{1B}[5mcontrols\u{7}.", comics: 29),
    ]

    static func sample(_ id: Int64, _ name: String, _ description: String, comics: Int32) -> MarvelCharacter {
        MarvelCharacter(
            id: id,
            name: name,
            description: description,
            modified: Timestamp(seconds: 1_398_781_097),
            thumbnail: Thumbnail(path: "emblem/\(id)", fileExtension: "png"),
            comicCount: comics,
            seriesCount: comics / 3,
            storyCount: comics * 3 / 2,
            eventCount: comics / 100,
            urls: [
                CharacterURL(type: "detail", url: "http://marvel.com/comics/characters/\(id)/example?campaign=long"),
                CharacterURL(type: "wiki", url: "http://marvel.com/universe/\(id)"),
            ]
        )
    }
}
