import Browse
import MarvelClient
import MarvelDomain
import TerminalUI
import Testing

/// The app, a person who types, a server with a long result, and a clock that goes when the test says so.
///
/// A staged scene is one that can be looked at: what it asks for is answered at once, from a few characters.
struct Scene: Sendable {
    private struct OpenSearch {
        var request: SearchRequest
        var place: Int
        var isAwaited = true
    }

    private(set) var model: BrowseModel
    /// The effects since the test took them last; timers run by themselves.
    private(set) var wishes: [BrowseEffect]
    private(set) var timers: [BrowseTimer: Duration] = [:]
    /// The number of results that searches report; nil for 1,000, or as many as a staged search delivers.
    var total: Int?
    var attribution = "Data provided by Marvel."
    /// The character at a place of the results of searches that are not staged.
    var found: @Sendable (Int) -> MarvelCharacter = { .number($0) }
    /// The characters that staged searches find.
    var characters: [MarvelCharacter] = []
    var isStale = false
    /// The answer to requests of pictures; nil leaves them on their way.
    var picture: (@Sendable (PictureKey) -> Pictures.State)?
    /// The failure of staged searches; nil answers with the characters.
    var failure: FailureNotice?
    private(set) var lastSearch: SearchID?
    private var isStaged = false
    private var now = Duration.zero
    private var searches: [SearchID: OpenSearch] = [:]

    init(columns: Int = 80, rows: Int = 24, style: CardStyle = .list, showsPictures: Bool = false) {
        let size = TerminalSize(columns: columns, rows: rows)
        model = BrowseModel(size: size, style: style, showsPictures: showsPictures)
        wishes = model.firstEffects
    }

    static func staged(
        _ columns: Int,
        _ rows: Int,
        style: CardStyle = .list,
        showsPictures: Bool = false
    ) -> Scene {
        var scene = Scene(columns: columns, rows: rows, style: style, showsPictures: showsPictures)
        scene.characters = MarvelCharacter.cast
        scene.attribution = "Data provided by Marvel. © 2014 Marvel"
        scene.isStaged = true
        return scene
    }

    /// A search has found `total` characters, and the person looks at them.
    static func searched(
        total: Int = 1000,
        columns: Int = 80,
        rows: Int = 24,
        style: CardStyle = .list,
        showsPictures: Bool = false
    ) -> Scene {
        var scene = Scene(columns: columns, rows: rows, style: style, showsPictures: showsPictures)
        scene.total = total
        scene.live([])
        scene.type("hero")
        scene.press(.enter)
        scene.serve()
        _ = scene.take()
        return scene
    }

    // MARK: The person

    mutating func type(_ text: String) {
        for letter in text { press(.character(letter)) }
    }

    mutating func press(_ keys: Key.Code...) {
        for key in keys { press(Key(key)) }
    }

    mutating func press(_ key: Key) { send(.terminal(.key(key))) }

    mutating func search(_ text: String) {
        type(text)
        press(.enter)
    }

    mutating func click(_ area: Rectangle) {
        send(.terminal(.mouse(MouseEvent(.press, at: Position(column: area.column, row: area.row)))))
    }

    mutating func click(cardAt place: Int) throws {
        let card = model.layout.cards.first { $0.place == place }
        click(try #require(card).frame)
    }

    mutating func resize(_ columns: Int, _ rows: Int) {
        send(.terminal(.resized(TerminalSize(columns: columns, rows: rows))))
    }

    // MARK: The clock

    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while let (timer, due) = timers.min(by: { $0.value < $1.value }), due <= end {
            now = due
            timers[timer] = nil
            send(.timerFired(timer))
        }
        now = end
    }

    // MARK: The server

    /// Answers what is asked for, until nothing is.
    mutating func serve() {
        while serveOnePage() {}
    }

    /// - Returns: Whether a page was asked for.
    @discardableResult
    mutating func serveOnePage() -> Bool {
        guard let (id, search) = searches.first(where: \.value.isAwaited) else { return false }
        let total = total ?? 1000
        let end = min(search.place + search.request.pageSize, total)
        searches[id]?.place = end
        searches[id]?.isAwaited = false
        let page = SearchPage(
            characters: search.place < end ? (search.place..<end).map(found) : [],
            total: total,
            nextPageToken: end < total ? "at \(end)" : "",
            attribution: attribution
        )
        send(.search(id, .page(page)))
        return true
    }

    /// The number of pages that are on their way.
    var awaitedPages: Int { searches.values.count(where: \.isAwaited) }
    var openSearches: Int { searches.count }

    /// Ends all searches.
    mutating func end(_ news: SearchEvent) {
        let ids = Array(searches.keys)
        searches = [:]
        for id in ids { send(.search(id, news)) }
    }

    mutating func live(_ ids: [Int64], revision: Int64 = 1) {
        live(
            ids.map { Favorite(character: found(Int($0) - 1), savedAt: Timestamp(seconds: $0)) },
            revision: revision
        )
    }

    /// Shows a live list of characters that staged searches find.
    mutating func live(names: String..., revision: Int64 = 1) {
        let saved = names.compactMap { name in characters.first { $0.name == name } }
        let favorites = saved.enumerated().map { index, character in
            Favorite(character: character, savedAt: Timestamp(seconds: 1_767_225_600 + Int64(index) * 90_000))
        }
        live(favorites, revision: revision)
    }

    private mutating func live(_ favorites: [Favorite], revision: Int64) {
        let list = FavoritesList(favorites: favorites, revision: revision, capacity: 5)
        send(.favorites(FavoritesState(list: list, attribution: attribution, connection: .live)))
    }

    mutating func lose(nextTry: Duration = .seconds(3)) {
        let (list, attribution) = (model.favorites.list, model.favorites.attribution)
        let connection = FavoritesState.Connection.lost(.gone, nextTry: nextTry)
        send(.favorites(FavoritesState(list: list, attribution: attribution, connection: connection)))
    }

    mutating func send(_ event: BrowseEvent) {
        let effects = model.update(event)
        for effect in effects {
            switch effect {
            case .startTimer(let timer): timers[timer] = now + timer.duration
            case .stopTimer(let timer): timers[timer] = nil
            default:
                note(effect)
                wishes.append(effect)
                if isStaged { answer(effect) }
            }
        }
    }

    private mutating func answer(_ effect: BrowseEffect) {
        switch effect {
        case .startSearch(let request):
            let page = SearchPage(
                characters: Array(characters.dropFirst(request.skip)),
                total: total ?? characters.count,
                nextPageToken: total == nil ? "" : "more",
                attribution: attribution,
                freshness: DataFreshness(isStale: isStale)
            )
            send(.search(request.id, failure.map(SearchEvent.failed) ?? .page(page)))
        case .loadPicture(let key):
            if let picture { send(.picture(key, picture(key))) }
        default: break
        }
    }

    /// Takes the effects since this was called last.
    mutating func take() -> [BrowseEffect] {
        defer { wishes = [] }
        return wishes
    }

    private mutating func note(_ effect: BrowseEffect) {
        switch effect {
        case .startSearch(let request):
            let place = request.pageToken.isEmpty ? request.skip : Int(request.pageToken.dropFirst(3)) ?? 0
            searches[request.id] = OpenSearch(request: request, place: place)
            lastSearch = request.id
        case .nextPage(let id): searches[id]?.isAwaited = true
        case .cancelSearch(let id): searches[id] = nil
        default: break
        }
    }
}

extension MarvelCharacter {
    /// `Hero 0`, whose id is 1, and so on.
    static func number(_ place: Int) -> MarvelCharacter {
        MarvelCharacter(
            id: Int64(place) + 1,
            name: "Hero \(place)",
            thumbnail: Thumbnail(path: "emblem/\(place + 1)", fileExtension: "png")
        )
    }
}

extension FailureNotice {
    static let gone = FailureNotice(
        "The connection to 127.0.0.1:6160 was lost.",
        whatToDo: "Look at the server.",
        isConnectionLost: true
    )
}

extension BrowseEffect {
    /// The search that is started, if one is.
    var started: SearchRequest? {
        if case .startSearch(let request) = self { request } else { nil }
    }

    var isAboutSearches: Bool {
        switch self {
        case .startSearch, .nextPage, .cancelSearch: true
        default: false
        }
    }
}

extension BrowseEvent {
    /// Names that all match alike.
    static func suggestions(typed: String, names: [String], match: Match? = .wordPrefix) -> BrowseEvent {
        .suggestions(typed: typed, names.map { NameSuggestion($0, match: match) })
    }
}
