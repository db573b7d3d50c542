import MarvelDomain
import Testing
import TrialChecks

/// The crash test damages the row of a favorite, and no other record that holds the same text.
@Suite struct StoredFavoriteTests {
    private let favorite = Sample.favorite(7)
    private let list = ListName("crash-1") ?? .default

    private func places(_ parts: [String]) -> [Range<Int>] {
        StoredFavorite.places(of: favorite, on: list, in: Array(parts.joined().utf8))
    }

    @Test func theRowOfAFavoriteIsFoundAndNoOtherRecord() {
        let text = String(decoding: FavoriteJSON.utf8(favorite), as: UTF8.self)
        let padding = String(repeating: "\0", count: 64)
        let row = ["crash-1", "\u{1}\u{2}\u{3}", text]
        let change = ["crash-1", "\u{9}", "{\"saved\":", text, "}"]
        let answer = ["crash-1", "\u{1}", "toggle", "\u{2}", "[", text, "]"]
        let others = ["crash-2", "\u{1}\u{2}", text, padding]
        #expect(places([padding] + change + [padding] + answer + [padding] + others) == [])
        let start = padding.utf8.count + others.joined().utf8.count + "crash-1".utf8.count
        let length = 3 + min(StoredFavorite.searchedCount, text.utf8.count)
        #expect(places([padding] + others + row) == [start..<(start + length)])
        #expect(places([padding] + row + [padding] + row).count == 2)
        #expect(places([]) == [])
        #expect(places([text]) == [])
    }
}
