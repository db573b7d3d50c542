import MarvelDomain

/// Queries as people type them to find names: two letters, the beginning of a word, a word, two words, and an unknown
/// name; with typing mistakes where the match forgives them. Every run has the same queries.
struct TypedQueries {
    let texts: [String]

    /// - Parameters:
    ///   - names: Whom they look for.
    ///   - match: What they expect to be found.
    ///   - count: How many queries.
    init(for names: [String], _ match: Match, count: Int) {
        var numbers = SplitMix64(seed: 616)
        var texts: [String] = []
        while texts.count < count {
            let name = names[Int.random(in: names.indices, using: &numbers)]
            let text = TypedQueries.query(for: name, match, kind: texts.count % 6, using: &numbers)
            if (try? SearchQuery(text)) != nil { texts.append(text) }
        }
        self.texts = texts
    }

    private static func query(
        for name: String,
        _ match: Match,
        kind: Int,
        using numbers: inout SplitMix64
    ) -> String {
        let letters = name.lowercased().filter { $0.isLetter || $0 == " " }
        let words = letters.split(separator: " ")
        let first = match == .prefix ? 0 : Int.random(in: words.indices, using: &numbers)
        let word = String(words[first])
        switch kind {
        case 0: return String(word.prefix(2))
        case 1: return String(word.prefix(.random(in: 3...5, using: &numbers)))
        case 2: return match == .substring ? String(word.dropFirst(2)) : word
        case 3: return words[first...].prefix(2).joined(separator: " ")
        case 4: return String(word.reversed()) + "q"
        default: return match == .fuzzy ? mistyped(word, using: &numbers) : word
        }
    }

    private static func mistyped(_ word: String, using numbers: inout SplitMix64) -> String {
        var letters = Array(word)
        let place = Int.random(in: 0..<max(letters.count - 1, 1), using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: letters.remove(at: place)
        case 1: letters.insert("e", at: place)
        case 2: letters[place] = "e"
        default: if letters.count > 1 { letters.swapAt(place, place + 1) }
        }
        return String(letters)
    }
}
