import Browse
import MarvelClient
import MarvelDomain
import TerminalUI

/// The app in a state that can be looked at: what it asks for is answered from a few characters.
struct Stage {
    private(set) var model: BrowseModel
    /// The characters that searches find.
    var characters = MarvelCharacter.cast
    /// The total that searches report, if it is more than they deliver.
    var total: Int?
    var attribution = "Data provided by Marvel. © 2014 Marvel"
    var isStale = false
    /// The answer to requests of pictures; nil leaves them on their way.
    var picture: (@Sendable (PictureKey) -> Pictures.State)?
    /// The failure of searches; nil answers with the characters.
    var failure: FailureNotice?
    private(set) var lastSearch: SearchID?

    init(_ columns: Int, _ rows: Int, style: CardStyle = .list, showsPictures: Bool = false) {
        let size = TerminalSize(columns: columns, rows: rows)
        model = BrowseModel(size: size, style: style, showsPictures: showsPictures)
    }

    var view: BrowseView { BrowseView(model) }
    var screen: Screen { view.screen }

    mutating func type(_ text: String) {
        for letter in text { press(.character(letter)) }
    }

    mutating func press(_ codes: Key.Code...) {
        for code in codes { send(.terminal(.key(Key(code)))) }
    }

    /// A search that is answered.
    mutating func search(_ text: String) {
        type(text)
        press(.enter)
    }

    mutating func live(_ names: String..., revision: Int64 = 1) {
        let saved = names.compactMap { name in characters.first { $0.name == name } }
        let favorites = saved.enumerated().map { index, character in
            Favorite(character: character, savedAt: Timestamp(seconds: 1_767_225_600 + Int64(index) * 90_000))
        }
        let list = FavoritesList(favorites: favorites, revision: revision, capacity: 5)
        send(.favorites(FavoritesState(list: list, attribution: attribution, connection: .live)))
    }

    mutating func lose(seconds: Int) {
        let trouble = FailureNotice("The server at 127.0.0.1:6160 is gone.", isConnectionLost: true)
        send(.favorites(FavoritesState(connection: .lost(trouble, nextTry: .seconds(seconds)))))
    }

    mutating func send(_ event: BrowseEvent) {
        for effect in model.update(event) { answer(effect) }
    }

    private mutating func answer(_ effect: BrowseEffect) {
        switch effect {
        case .startSearch(let request):
            lastSearch = request.id
            send(.search(request.id, failure.map(SearchEvent.failed) ?? .page(page(request))))
        case .loadPicture(let key):
            if let picture { send(.picture(key, picture(key))) }
        default: break
        }
    }

    /// The one page that there is.
    private func page(_ request: SearchRequest) -> SearchPage {
        SearchPage(
            characters: Array(characters.dropFirst(request.skip)),
            total: total ?? characters.count,
            nextPageToken: total == nil ? "" : "more",
            attribution: attribution,
            freshness: DataFreshness(isStale: isStale)
        )
    }
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
