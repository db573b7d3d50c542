import Browse
import Foundation
import MarvelClient
import MarvelDomain
import TerminalUI

/// The time that `marvel browse` takes from a key's bytes to those of the next screen. A large window is full of
/// pictures, and the search has a million results.
struct KeyStrokes: Encodable {
    static let total = 1_000_000

    let keys: Int
    /// Milliseconds.
    let p50: Double
    let p99: Double
    let maximum: Double

    init(keys count: Int) {
        Progress.show("keys of marvel browse")
        var person = Person()
        person.begin()
        // Each finds something else on the screen.
        let keys = [
            "/", "\u{15}", "s", "p", "i", "d", "\r", "j", "j", "\r", "\u{1B}[6~", "\u{1B}[6~", "v", "l", "\u{1B}[B",
            "v", "G", "k", "\u{1B}[5~", "g", "\t", "j", "\t", "d", "\u{1B}[B", "q",
        ]
        let times = (0..<count).map { person.press(keys[$0 % keys.count]) }
        self.keys = count
        (p50, p99, maximum) = (times.percentile(50), times.percentile(99), times.percentile(100))
    }

    var table: String {
        let figures = [p50, p99, maximum].map { String(format: "%.2f", $0) }
        return "A key of marvel browse, 200x60, \(KeyStrokes.total) results: "
            + "p50 \(figures[0]) ms, p99 \(figures[1]) ms, at most \(figures[2]) ms from its bytes to the screen's."
    }

    var bar: Bar { Bar("a key of marvel browse, 200x60: p99", p99, atMost: 16, "ms") }
}

/// Types, and is served by a server that answers at once.
private struct Person {
    private var model = BrowseModel(size: TerminalSize(columns: 200, rows: 60))
    private var decoder = KeyDecoder()
    private var writer = FrameWriter(theme: Theme(depth: .full))
    private var places: [SearchID: SearchRequest] = [:]

    mutating func begin() {
        carryOut(model.firstEffects)
        let list = FavoritesList(favorites: [], revision: 0, capacity: 5)
        take(.favorites(FavoritesState(list: list, connection: .live)))
    }

    /// - Returns: Milliseconds until the bytes of the screen were there.
    mutating func press(_ key: String) -> Double {
        let start = monotonicTime()
        var inputs = decoder.decode(key.utf8)
        if decoder.awaitsTime { inputs += decoder.timeElapsed() }
        var effects: [BrowseEffect] = []
        for case .event(let event) in inputs { effects += model.update(.terminal(event)) }
        _ = writer.frame(BrowseView(model).screen)
        let time = Double(monotonicTime() - start) / 1e6
        carryOut(effects)
        _ = writer.frame(BrowseView(model).screen)
        return time
    }

    private mutating func take(_ event: BrowseEvent) { carryOut(model.update(event)) }

    private mutating func carryOut(_ effects: [BrowseEffect]) {
        for effect in effects {
            switch effect {
            case .startTimer(.typingPause): take(.timerFired(.typingPause))
            case .startSearch(let request):
                places[request.id] = request
                serve(request.id)
            case .nextPage(let id): serve(id)
            case .askSuggestions(let typed):
                let names = (0..<8).map { NameSuggestion("Spider-Man of \($0)", match: .prefix) }
                take(.suggestions(typed: typed, names))
            case .toggle(let id, let desired):
                let answer = ToggleResult(isFavorite: desired == .saved, revision: 1, evicted: [])
                take(.toggleAnswered(characterID: id, answer))
            case .loadPicture(let key): take(.picture(key, PixelImage.pattern(key).map(Pictures.State.image) ?? .none))
            default: break
            }
        }
    }

    private mutating func serve(_ id: SearchID) {
        guard var request = places[id] else { return }
        let numbers = request.skip..<min(request.skip + request.pageSize, KeyStrokes.total)
        request.skip = numbers.upperBound
        places[id] = request
        let characters = numbers.map { number in
            MarvelCharacter(
                id: Int64(number + 1),
                name: "Spider-Man (\(number))",
                description: "One of very many who were bitten by a spider, and of whom that is all that is known.",
                comicCount: Int32(number % 500)
            )
        }
        let token = numbers.upperBound < KeyStrokes.total ? "\(numbers.upperBound)" : ""
        let page = SearchPage(
            characters: characters,
            total: KeyStrokes.total,
            nextPageToken: token,
            attribution: "Data provided by Marvel."
        )
        take(.search(id, .page(page)))
    }
}

extension PixelImage {
    /// A picture of the size that cards are sent, different for each character.
    fileprivate static func pattern(_ key: PictureKey) -> PixelImage? {
        let side = 140
        let pixels = (0..<side * side).flatMap { place -> [UInt8] in
            let value = place &+ Int(key.characterID) &* 37
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value / side), 128, 255]
        }
        return PixelImage(width: side, height: side, pixels: pixels)
    }
}

extension [Double] {
    /// The least value that so many of a hundred are not above; of none, not a number.
    func percentile(_ percent: Int) -> Double {
        guard !isEmpty else { return .nan }
        return sorted()[(count * percent + 99) / 100 - 1]
    }
}
