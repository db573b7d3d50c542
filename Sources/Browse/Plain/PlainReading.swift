internal import MarvelDomain

/// What was read out, so that a number means what the person has heard, whatever has changed since.
///
/// Numbers are places in the list, from 1. They stay until another list is read out.
struct PlainReading: Sendable, Equatable {
    enum Entry: Sendable, Equatable {
        case character(MarvelCharacter)
        case search(String)
    }

    /// Places that are read out at a time.
    static let pageSize = 10

    let list: CardList
    /// The search that the results are of.
    let query: SearchQuery?
    let match: Match?
    /// Read out last.
    private(set) var places = 0..<0
    /// Of the whole list, when it was read out.
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

    /// Where the next ones begin; nil at the end.
    var next: Int? { places.upperBound < total ? places.upperBound : nil }
    /// Where the ones before begin; nil at the beginning.
    var previous: Int? { places.lowerBound > 0 ? max(places.lowerBound - PlainReading.pageSize, 0) : nil }

    func isOfSameList(as other: PlainReading) -> Bool {
        // Favorites and recent searches move: their numbers are those that were heard last.
        list == .results && other.list == .results && query == other.query && match == other.match
    }

    mutating func read(_ entries: [Entry], at places: Range<Int>, of total: Int) {
        self.places = places
        self.total = total
        for (place, entry) in zip(places, entries) { self.entries[place + 1] = entry }
    }
}
