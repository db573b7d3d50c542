/// A normalized search text of 2 to 100 letters, or of 1 to 100 letters while it is being typed.
///
/// Normalized text is trimmed, and its inner white space is single spaces. This form is counted, searched, sent
/// upstream and fingerprinted. A letter is a grapheme cluster: "에이" has 2.
public struct SearchQuery: Sendable, Hashable, CustomStringConvertible {
    public static let letters = 2...100
    /// The allowed number of letters while typing: suggestions begin with the first letter.
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

    /// From an unfinished text, for suggestions.
    ///
    /// - Throws: `Refusal` if the normalized text has no letter or more than 100.
    package init(typed text: String) throws(Refusal) {
        try self.init(text, letters: SearchQuery.typedLetters)
    }

    private init(_ text: String, letters: ClosedRange<Int>) throws(Refusal) {
        // The fast path for nearly every query: normalized text with one byte per letter.
        var text = text
        let isPlain = text.withUTF8(SearchQuery.isPlain)
        let normalized = isPlain ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let count = isPlain ? text.utf8.count : normalized.count
        guard count >= letters.lowerBound else { throw .tooShort(letters: count) }
        guard count <= letters.upperBound else { throw .tooLong(letters: count) }
        self.text = normalized
    }

    public var description: String { text }

    /// Printable ASCII with single spaces, and without a space at either end.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let space = UInt8(ascii: " ")
        var previous = space
        for byte in text {
            guard (0x20...0x7E).contains(byte), byte != space || previous != space else { return false }
            previous = byte
        }
        return previous != space
    }
}

/// A way to compare a query with names.
public enum Match: Sendable, Hashable, CaseIterable {
    /// The name begins with the query; case and accents are ignored.
    case prefix
    /// A word of the name begins with the query, in any of its spellings: `dr doom` finds Doctor Doom.
    case wordPrefix
    case substring
    /// The name is similar to the query, in any of its spellings: typing mistakes are tolerated.
    case fuzzy
}

public struct NameSuggestion: Sendable, Hashable {
    public var name: String
    /// The match of the name with the typed text; nil from older servers.
    ///
    /// `.prefix` and `.wordPrefix` complete the text. With `.fuzzy` the name is only similar: a correction.
    public var match: Match?

    public init(_ name: String, match: Match?) {
        self.name = name
        self.match = match
    }
}
