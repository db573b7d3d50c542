internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

/// Each page is another search. It keeps no page, because a stream may wait long for its client.
final class SearchedPages: MessageSource {
    private let search: CharacterSearch
    private let start: PagePlace
    private let pagesLeft: Int

    init(of search: CharacterSearch, from start: PagePlace, pagesLeft: Int) {
        self.search = search
        self.start = start
        self.pagesLeft = pagesLeft
    }

    var place: [String: String] { search.continuation(at: start) }

    func next() throws(RPCError) -> Step { try search.page(at: start, pagesLeft: pagesLeft) }
}

/// One object is the source and all its messages, so a page allocates nothing: two objects for each page took a third
/// of a stream's time.
///
/// `@unchecked Sendable` because only one event loop asks a stream for its pages. The loop writes a message before it
/// asks for the next.
final class FoundPages: MessageSource, OutgoingMessage, @unchecked Sendable {
    private let search: CharacterSearch
    private let lists: CurrentLists
    private let results: SearchResults
    private let provenance: Provenance
    /// Nil once it is written.
    private var characters: PageCharacters?
    private var end: PageEnd?
    private(set) var byteCount = 0
    private var start: PagePlace
    private var pagesLeft: Int
    private var favorites: CurrentLists.KnownIDs

    /// `start` skips nothing: the first page did that. `pagesLeft` is at least 1.
    init(of search: CharacterSearch, _ results: SearchResults, from start: PagePlace, pagesLeft: Int) {
        self.search = search
        self.lists = search.service.lists
        self.results = results
        self.provenance = results.provenance
        self.start = start
        self.pagesLeft = pagesLeft
        self.favorites = CurrentLists.KnownIDs(of: search.list)
    }

    var place: [String: String] { search.continuation(at: start) }

    func next() throws(RPCError) -> Step {
        guard let favorites = lists.ids(&favorites) else {
            return search.later(results.page(at: start.offset, limit: search.pageSize), pagesLeft)
        }
        var page = results.characters(at: start.offset, limit: search.pageSize)
        if let fields = search.fields { page = page.selecting(fields) }
        let ids = page.ids(among: favorites)
        let end = PageEnd(total: results.count, next: page.nextPlace, favoriteIDs: ids, in: search)
        byteCount = page.byteCount + end.byteCount(from: provenance)
        let next = page.nextPlace
        self.end = end
        characters = page
        pagesLeft -= 1
        guard pagesLeft > 0, let next else { return .last(self) }
        start = next
        return .message(self, then: self)
    }

    // MARK: The message

    func write(to writer: inout MessageWriter) {
        // Moved out, which copies nothing.
        guard let characters = characters.take(), let end = end.take() else { return }
        characters.write(to: &writer)
        end.write(from: provenance, to: &writer)
    }
}
