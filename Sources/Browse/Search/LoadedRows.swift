package import MarvelDomain

/// The rows of a long result that are here, by their place in the whole.
package struct LoadedRows: Sendable, Equatable {
    /// As they came in one page.
    private struct Stretch: Sendable, Equatable {
        var start: Int
        var characters: [MarvelCharacter]

        var end: Int { start + characters.count }
    }

    /// In order, none over another.
    private var stretches: [Stretch] = []
    package private(set) var count = 0

    package subscript(place: Int) -> MarvelCharacter? {
        stretch(holding: place).map { $0.characters[place - $0.start] }
    }

    func firstMissing(in places: Range<Int>) -> Int? {
        var place = places.lowerBound
        while place < places.upperBound {
            guard let stretch = stretch(holding: place) else { return place }
            place = stretch.end
        }
        return nil
    }

    func lastMissing(in places: Range<Int>) -> Int? {
        var place = places.upperBound - 1
        while place >= places.lowerBound {
            guard let stretch = stretch(holding: place) else { return place }
            place = stretch.start - 1
        }
        return nil
    }

    /// All that is missing around a missing place.
    func gap(around place: Int, in whole: Range<Int>) -> Range<Int> {
        let next = position(of: place)
        let start = next > 0 ? stretches[next - 1].end : whole.lowerBound
        let end = next < stretches.count ? stretches[next].start : whole.upperBound
        return start..<max(end, start)
    }

    /// Takes in what begins at a missing place, as far as it is not here yet.
    mutating func insert(_ characters: [MarvelCharacter], at place: Int) {
        let next = position(of: place)
        let room = next < stretches.count ? stretches[next].start - place : characters.count
        let characters = Array(characters.prefix(max(room, 0)))
        guard !characters.isEmpty else { return }
        stretches.insert(Stretch(start: place, characters: characters), at: next)
        count += characters.count
    }

    /// Lets go of what is farthest from some places, page by page, until no more than `limit` rows are here.
    mutating func drop(downTo limit: Int, farthestFrom places: Range<Int>) {
        while count > limit, let first = stretches.first, let last = stretches.last {
            let isFirstFarther = places.lowerBound - first.end > last.start - places.upperBound
            count -= isFirstFarther ? first.characters.count : last.characters.count
            if isFirstFarther { stretches.removeFirst() } else { stretches.removeLast() }
        }
    }

    private func stretch(holding place: Int) -> Stretch? {
        let next = position(of: place)
        guard next < stretches.count, stretches[next].start <= place else { return nil }
        return stretches[next]
    }

    /// The first stretch that ends behind a place.
    private func position(of place: Int) -> Int {
        var (low, high) = (0, stretches.count)
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].end <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
