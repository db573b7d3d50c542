/// What a person searches for, in the one form that is counted, searched, sent upstream and fingerprinted:
/// trimmed, inner white space made one space, 2 to 100 letters, or 1 to 100 while it is being typed.
///
/// Letters are what a person counts, grapheme clusters: "에이" is 2.
public struct SearchQuery: Sendable, Hashable, CustomStringConvertible {
    public static let letters = 2...100
    /// What a person is typing is completed from its first letter on.
    package static let typedLetters = 1...100

    public enum Refusal: Error, Sendable, Hashable {
        case tooShort(letters: Int)
        case tooLong(letters: Int)
    }

    public let text: String

    /// - Throws: `Refusal` if the normalized text has fewer than 2 or more than 100 letters.
    public init(_ text: String) throws(Refusal) {
        try self.init(text, letters: SearchQuery.letters)
    }

    /// What a person has typed so far, to be completed.
    ///
    /// - Throws: `Refusal` if the normalized text has no letter or more than 100.
    package init(typed text: String) throws(Refusal) {
        try self.init(text, letters: SearchQuery.typedLetters)
    }

    private init(_ text: String, letters: ClosedRange<Int>) throws(Refusal) {
        // Nearly every query: it is its own normal form, and its letters are its bytes.
        let isPlain = SearchQuery.isPlain(text.utf8)
        let normalized = isPlain ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let count = isPlain ? text.utf8.count : normalized.count
        guard count >= letters.lowerBound else { throw .tooShort(letters: count) }
        guard count <= letters.upperBound else { throw .tooLong(letters: count) }
        self.text = normalized
    }

    public var description: String { text }

    /// Whether the text is printable ASCII with single spaces, none of them at an end.
    private static func isPlain(_ text: String.UTF8View) -> Bool {
        let space = UInt8(ascii: " ")
        var previous = space
        for byte in text {
            guard (0x20...0x7E).contains(byte), byte != space || previous != space else { return false }
            previous = byte
        }
        return previous != space
    }
}

/// How a query is compared with names.
public enum Match: Sendable, Hashable, CaseIterable {
    /// The name begins with the query; case and accents are ignored.
    case prefix
    /// A word of the name begins with the query, in any of its spellings: `dr doom` is Doctor Doom.
    case wordPrefix
    /// The query stands anywhere in the name.
    case substring
    /// The name is near the query, in any of its spellings, typing mistakes forgiven.
    case fuzzy
}
