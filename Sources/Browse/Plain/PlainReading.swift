internal import MarvelDomain

/// The list that was read out last. A number stands for the entry that the user has heard, even if the list has changed
/// since.
///
/// Numbers are places in the list, counted from 1. They stay valid until another list is read out.
struct PlainReading: Sendable, Equatable {
    enum Entry: Sendable, Equatable {
        case character(MarvelCharacter)
        case search(String)
    }

    /// The number of entries that are read out at a time.
    static let pageSize = 10

    let list: CardList
    /// The query of the results; nil for other lists.
    let query: SearchQuery?
    let match: Match?
    /// The places that were read out last.
    private(set) var places = 0..<0
    /// The number of entries in the list when it was read out.
    private(set) var total = 0
    private var entries: [Int: Entry] = [:]

    init(_ list: CardList, of results: Results? = nil) {
        self.list = list
        query = results?.query
        match = results?.match
    }

    subscript(number: Int) -> Entry? { entries[number] }

    var numbers: ClosedRange<Int>? {
        guard let first = entries.keys.min(), let last = entries.keys.max() else { return nil }
        return first...last
    }

    /// The first place of the next page; nil at the end.
    var next: Int? { places.upperBound < total ? places.upperBound : nil }
    /// The first place of the previous page; nil at the beginning.
    var previous: Int? { places.lowerBound > 0 ? max(places.lowerBound - PlainReading.pageSize, 0) : nil }

    func isOfSameList(as other: PlainReading) -> Bool {
        // Favorites and recent searches change their places, so only the numbers of the last reading are valid.
        list == .results && other.list == .results && query == other.query && match == other.match
    }

    mutating func read(_ entries: [Entry], at places: Range<Int>, of total: Int) {
        self.places = places
        self.total = total
        for (place, entry) in zip(places, entries) { self.entries[place + 1] = entry }
    }
}
