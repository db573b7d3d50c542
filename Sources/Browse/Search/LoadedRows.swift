package import MarvelDomain

/// The loaded rows of a long result, by their place in the whole result.
package struct LoadedRows: Sendable, Equatable {
    /// A run of consecutive rows that were loaded as one page.
    private struct Segment: Sendable, Equatable {
        var start: Int
        var characters: [MarvelCharacter]

        var end: Int { start + characters.count }
    }

    /// The segments in order. They do not overlap.
    private var segments: [Segment] = []
    package private(set) var count = 0

    package subscript(place: Int) -> MarvelCharacter? {
        segment(holding: place).map { $0.characters[place - $0.start] }
    }

    func firstMissing(in places: Range<Int>) -> Int? {
        var place = places.lowerBound
        while place < places.upperBound {
            guard let segment = segment(holding: place) else { return place }
            place = segment.end
        }
        return nil
    }

    func lastMissing(in places: Range<Int>) -> Int? {
        var place = places.upperBound - 1
        while place >= places.lowerBound {
            guard let segment = segment(holding: place) else { return place }
            place = segment.start - 1
        }
        return nil
    }

    /// Returns the range of missing rows around a missing place.
    func gap(around place: Int, in whole: Range<Int>) -> Range<Int> {
        let next = position(of: place)
        let start = next > 0 ? segments[next - 1].end : whole.lowerBound
        let end = next < segments.count ? segments[next].start : whole.upperBound
        return start..<max(end, start)
    }

    /// Inserts rows at a missing place, up to the next row that is already loaded.
    mutating func insert(_ characters: [MarvelCharacter], at place: Int) {
        let next = position(of: place)
        let room = next < segments.count ? segments[next].start - place : characters.count
        let characters = Array(characters.prefix(max(room, 0)))
        guard !characters.isEmpty else { return }
        segments.insert(Segment(start: place, characters: characters), at: next)
        count += characters.count
    }

    /// Evicts the segments that are farthest from a range of places, until at most `limit` rows are left.
    mutating func drop(downTo limit: Int, farthestFrom places: Range<Int>) {
        while count > limit, let first = segments.first, let last = segments.last {
            let isFirstFarther = places.lowerBound - first.end > last.start - places.upperBound
            count -= isFirstFarther ? first.characters.count : last.characters.count
            if isFirstFarther { segments.removeFirst() } else { segments.removeLast() }
        }
    }

    private func segment(holding place: Int) -> Segment? {
        let next = position(of: place)
        guard next < segments.count, segments[next].start <= place else { return nil }
        return segments[next]
    }

    /// Returns the index of the first segment that ends after a place.
    private func position(of place: Int) -> Int {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].end <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
