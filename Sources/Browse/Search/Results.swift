internal import MarvelClient
package import MarvelDomain

/// The loaded rows of one search. At most one page is requested at a time: from the open stream if that reaches the
/// rows soon, else from a new stream.
package struct Results: Sendable, Equatable {
    package static let rowLimit = 5000
    /// The largest total of the wire format. It prevents an overflow in calculations with places.
    private static let largestTotal = Int(Int32.max)

    package let query: SearchQuery
    package let match: Match
    package private(set) var rows = LoadedRows()
    package private(set) var total: Int?
    /// The ids of rows that were favorites when found, for use until the list is loaded.
    private(set) var favoriteIDs: Set<Int64> = []
    package private(set) var attribution = ""
    package private(set) var isStale = false
    package private(set) var failure: FailureNotice?
    private(set) var stream: ResultStream?

    init(_ query: SearchQuery, match: Match) {
        self.query = query
        self.match = match
    }

    package var count: Int { total ?? 0 }
    package var isLoading: Bool { stream?.isAwaited == true }

    // MARK: Requests

    /// `visible` has the places on the screen.
    mutating func ask(for visible: Range<Int>, pageSize: Int, ids: inout SearchID) -> [BrowseEffect] {
        guard failure == nil else { return [] }
        guard let total else { return stream == nil ? start(at: 0, pageSize: pageSize, ids: &ids) : [] }
        guard let missing = missing(around: visible, total: total) else { return [] }
        if let stream, stream.leads(to: missing) {
            return stream.isAwaited ? [] : continueStream(pageSize: pageSize, ids: &ids)
        }
        let place = rows.pageStart(around: missing, pageSize: pageSize, total: total)
        return cancel() + start(at: place, pageSize: pageSize, ids: &ids)
    }

    /// First on the screen, then within one screen after it, then within one screen before it.
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

    private mutating func continueStream(pageSize: Int, ids: inout SearchID) -> [BrowseEffect] {
        guard var stream else { return [] }
        stream.isAwaited = true
        defer { self.stream = stream }
        guard !stream.isOpen else { return [.nextPage(stream.id)] }
        stream.isOpen = true
        stream.hasGivenRows = false
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

    // MARK: Responses

    /// Rows near `visible` are not evicted.
    mutating func received(_ event: SearchEvent, visible: Range<Int>) -> [BrowseEffect] {
        switch event {
        case .page(let page): return received(page, visible: visible)
        case .ended:
            // A stream that ends before its first row is a failure: resuming it could repeat forever.
            if stream?.hasGivenRows == false { return received(.failed(.searchBrokenOff), visible: visible) }
            stream?.isOpen = false
            stream?.isAwaited = false
            return []
        case .failed(let failure):
            stream = nil
            self.failure = failure
            return []
        }
    }

    private mutating func received(_ page: SearchPage, visible: Range<Int>) -> [BrowseEffect] {
        guard var stream else { return [] }
        rows.insert(page.characters, at: stream.place)
        rows.drop(downTo: Results.rowLimit, farthestFrom: visible)
        favoriteIDs.formUnion(page.favoriteIDs)
        attribution = page.attribution
        isStale = page.freshness.isStale
        stream.place += page.characters.count
        stream.token = page.nextPageToken
        stream.isAwaited = false
        if !page.characters.isEmpty { stream.hasGivenRows = true }
        self.stream = stream
        total = total(from: page, endingAt: stream.place)
        // The stream is obsolete if the next row is loaded, or if this is the last page.
        return rows[stream.place] != nil || page.nextPageToken.isEmpty ? cancel() : []
    }

    /// The last page determines the total exactly. The server's total is untrusted, and clamped.
    private func total(from page: SearchPage, endingAt place: Int) -> Int {
        let total = min(max(page.total, 0), Results.largestTotal)
        guard page.nextPageToken.isEmpty else { return max(total, place) }
        return page.characters.isEmpty ? min(total, place) : place
    }

    mutating func retry() { failure = nil }
}

package struct LoadedRows: Sendable, Equatable {
    private var characters: [Int: MarvelCharacter] = [:]

    package var count: Int { characters.count }

    package subscript(place: Int) -> MarvelCharacter? { characters[place] }

    func firstMissing(in places: Range<Int>) -> Int? { places.first { characters[$0] == nil } }

    func lastMissing(in places: Range<Int>) -> Int? { places.last { characters[$0] == nil } }

    /// Near the end of a gap the page starts earlier, to fill the gap up to its end.
    func pageStart(around place: Int, pageSize: Int, total: Int) -> Int {
        let limit = min(place + pageSize, total)
        let end = (place..<max(limit, place)).first { characters[$0] != nil } ?? limit
        let earliest = max(end - pageSize, 0)
        return (earliest..<max(place, earliest)).last { characters[$0] != nil }.map { $0 + 1 } ?? min(earliest, place)
    }

    mutating func insert(_ page: [MarvelCharacter], at start: Int) {
        for (place, character) in zip(start..., page) {
            guard characters[place] == nil else { return }
            characters[place] = character
        }
    }

    mutating func drop(downTo limit: Int, farthestFrom places: Range<Int>) {
        guard count > limit else { return }
        func distance(_ place: Int) -> Int { max(places.lowerBound - place, place - places.upperBound) }
        let farthest = characters.keys.sorted { distance($0) > distance($1) }
        for place in farthest.prefix(count - limit) { characters[place] = nil }
    }
}

struct ResultStream: Sendable, Equatable {
    var id: SearchID
    var place: Int
    let pageSize: Int
    var token = ""
    var isAwaited = true
    var isOpen = true
    var hasGivenRows = false

    /// Whether the stream reaches a place within two pages. Beyond that, a new stream is faster.
    func leads(to place: Int) -> Bool {
        (isOpen || !token.isEmpty) && (self.place..<self.place + 2 * pageSize).contains(place)
    }
}

extension FailureNotice {
    fileprivate static let searchBrokenOff = FailureNotice("The server ended the search before its results.")
}
