package import MarvelDomain

/// The results of one search: how many there are, and those of them that are here.
///
/// At most one page is on its way. It is asked for when rows are missing on the screen or within one screen of it:
/// by going on with the stream that is open, if that leads there soon, or else by a new one that begins there.
package struct Results: Sendable, Equatable {
    /// More rows than this are not kept.
    package static let rowLimit = 5000
    /// What the wire can say: with it no place leaves the numbers that there are.
    private static let largestTotal = Int(Int32.max)

    package let query: SearchQuery
    package let match: Match
    package private(set) var rows = LoadedRows()
    /// How many results there are; nil before the first page.
    package private(set) var total: Int?
    /// Which rows were favorites when they were found: good until the list itself is known.
    private(set) var favoriteIDs: Set<Int64> = []
    package private(set) var attribution = ""
    package private(set) var isStale = false
    /// Why the rest does not come.
    package private(set) var trouble: Trouble?
    package internal(set) var cursor = CardCursor()
    private(set) var stream: ResultStream?

    init(_ query: SearchQuery, match: Match) {
        self.query = query
        self.match = match
    }

    package var count: Int { total ?? 0 }
    /// Whether a page is on its way.
    package var isLoading: Bool { stream?.isAwaited == true }

    // MARK: What is wanted

    /// Asks for rows that are missing on the screen or near it.
    ///
    /// - Parameters:
    ///   - visible: The places on the screen.
    ///   - pageSize: How many rows a new stream shall have in a page.
    ///   - ids: The next id that is free.
    /// - Returns: What has to be done: nothing most of the time.
    mutating func ask(for visible: Range<Int>, pageSize: Int, ids: inout SearchID) -> [BrowseEffect] {
        guard trouble == nil else { return [] }
        guard let total else { return stream == nil ? start(at: 0, pageSize: pageSize, ids: &ids) : [] }
        guard let missing = missing(around: visible, total: total) else { return [] }
        if let stream, stream.leads(to: missing) {
            return stream.isAwaited ? [] : goOn(pageSize: pageSize, ids: &ids)
        }
        let gap = rows.gap(around: missing, in: 0..<total)
        // So that the page fills the gap to its end, where that is near.
        let place = max(gap.lowerBound, min(missing, gap.upperBound - pageSize))
        return cancel() + start(at: place, pageSize: pageSize, ids: &ids)
    }

    /// What is on the screen first, then one screen behind it, then one before it.
    private func missing(around visible: Range<Int>, total: Int) -> Int? {
        let screen = visible.count
        let behind = min(visible.lowerBound, total)..<min(visible.upperBound + screen, total)
        let before = max(visible.lowerBound - screen, 0)..<min(visible.lowerBound, total)
        return rows.firstMissing(in: behind) ?? rows.lastMissing(in: before)
    }

    private mutating func start(at place: Int, pageSize: Int, ids: inout SearchID) -> [BrowseEffect] {
        let stream = ResultStream(id: ids.take(), place: place, pageSize: pageSize)
        self.stream = stream
        let request = SearchRequest(id: stream.id, query: query, match: match, skip: place, pageSize: pageSize)
        return [.startSearch(request)]
    }

    private mutating func goOn(pageSize: Int, ids: inout SearchID) -> [BrowseEffect] {
        guard var stream else { return [] }
        stream.isAwaited = true
        defer { self.stream = stream }
        guard !stream.isOpen else { return [.nextPage(stream.id)] }
        stream.isOpen = true
        stream.hasGivenPage = false
        stream.id = ids.take()
        let request = SearchRequest(
            id: stream.id,
            query: query,
            match: match,
            pageSize: stream.pageSize,
            pageToken: stream.token
        )
        return [.startSearch(request)]
    }

    mutating func cancel() -> [BrowseEffect] {
        defer { stream = nil }
        guard let stream, stream.isOpen else { return [] }
        return [.cancelSearch(stream.id)]
    }

    // MARK: What comes

    /// - Parameters:
    ///   - news: Of the stream that there is.
    ///   - visible: The places on the screen: what is near them is kept.
    /// - Returns: What has to be done.
    mutating func received(_ news: SearchNews, visible: Range<Int>) -> [BrowseEffect] {
        switch news {
        case .page(let page): return received(page, visible: visible)
        case .ended:
            // One that ended before its first page would only do so again, and again.
            if stream?.hasGivenPage == false { return received(.failed(.searchBrokenOff), visible: visible) }
            stream?.isOpen = false
            stream?.isAwaited = false
            return []
        case .failed(let trouble):
            stream = nil
            self.trouble = trouble
            return []
        }
    }

    private mutating func received(_ page: FoundPage, visible: Range<Int>) -> [BrowseEffect] {
        guard var stream else { return [] }
        rows.insert(page.characters, at: stream.place)
        rows.drop(downTo: Results.rowLimit, farthestFrom: visible)
        favoriteIDs.formUnion(page.favoriteIDs)
        attribution = page.attribution
        isStale = page.isStale
        stream.place += page.characters.count
        stream.token = page.nextPageToken
        stream.isAwaited = false
        stream.hasGivenPage = true
        self.stream = stream
        total = total(from: page, endingAt: stream.place)
        // What follows is here already, or there is nothing more.
        return rows[stream.place] != nil || page.nextPageToken.isEmpty ? cancel() : []
    }

    /// The end is where it is found, whatever the number of results was said to be; that may be any number.
    private func total(from page: FoundPage, endingAt place: Int) -> Int {
        let total = min(max(page.total, 0), Results.largestTotal)
        guard page.nextPageToken.isEmpty else { return max(total, place) }
        return page.characters.isEmpty ? min(total, place) : place
    }

    /// What failed is wanted again.
    mutating func retry() { trouble = nil }
}

/// A search under way, and where in the results it is.
struct ResultStream: Sendable, Equatable {
    var id: SearchID
    /// Of the next row that it gives.
    var place: Int
    let pageSize: Int
    /// Where it goes on if it was ended.
    var token = ""
    var isAwaited = true
    var isOpen = true
    /// Since it was opened.
    var hasGivenPage = false

    init(id: SearchID, place: Int, pageSize: Int) {
        self.id = id
        self.place = place
        self.pageSize = pageSize
    }

    /// Whether it comes there within two pages; farther away, a stream of its own is sooner there.
    func leads(to place: Int) -> Bool {
        (isOpen || !token.isEmpty) && (self.place..<self.place + 2 * pageSize).contains(place)
    }
}

extension Trouble {
    fileprivate static let searchBrokenOff = Trouble("The server ended the search before its results.")
}
