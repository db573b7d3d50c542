/// A normalized search text of 2 to 100 letters, or of 1 to 100 letters while it is being typed.
///
/// Normalized text is trimmed, and its inner white space is single spaces. This form is counted, searched, sent
/// upstream and fingerprinted. A letter is a grapheme cluster: "에이" has 2.
public struct SearchQuery: Sendable, Hashable, CustomStringConvertible {
    /// The allowed number of letters.
    public static let letters = 2...100
    /// The allowed number of letters of a text that is being typed: suggestions begin with the first letter.
    package static let typedLetters = 1...100

    /// A reason why a text is not a query, with its number of letters.
    public enum Refusal: Error, Sendable, Hashable {
        /// The text has fewer letters than allowed.
        case tooShort(letters: Int)
        /// The text has more letters than allowed.
        case tooLong(letters: Int)
    }

    /// The normalized text.
    public let text: String

    /// - Throws: `Refusal` if the normalized text has fewer than 2 or more than 100 letters.
    public init(_ text: String) throws(Refusal) {
        try self.init(text, letters: SearchQuery.letters)
    }

    /// Creates a query from an unfinished text, for suggestions.
    ///
    /// - Throws: `Refusal` if the normalized text has no letter or more than 100.
    package init(typed text: String) throws(Refusal) {
        try self.init(text, letters: SearchQuery.typedLetters)
    }

    private init(_ text: String, letters: ClosedRange<Int>) throws(Refusal) {
        // The fast path for nearly every query: the text is normalized already, and each byte is a letter.
        let isPlain = SearchQuery.isPlain(text.utf8)
        let normalized = isPlain ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let count = isPlain ? text.utf8.count : normalized.count
        guard count >= letters.lowerBound else { throw .tooShort(letters: count) }
        guard count <= letters.upperBound else { throw .tooLong(letters: count) }
        self.text = normalized
    }

    /// The text.
    public var description: String { text }

    /// Returns whether the text is printable ASCII with single spaces, and has no space at either end.
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

/// A way to compare a query with names.
public enum Match: Sendable, Hashable, CaseIterable {
    /// The name begins with the query; case and accents are ignored.
    case prefix
    /// A word of the name begins with the query, in any of its spellings: `dr doom` finds Doctor Doom.
    case wordPrefix
    /// The name contains the query.
    case substring
    /// The name is similar to the query, in any of its spellings: typing mistakes are tolerated.
    case fuzzy
}

/// A name that is suggested for what a person is typing.
public struct NameSuggestion: Sendable, Hashable {
    /// The name as the catalog has it.
    public var name: String
    /// The match of the name with the typed text; nil if the server does not send it, as older servers do not.
    ///
    /// `.prefix` and `.wordPrefix` complete what was typed. With `.fuzzy` the name is only like it: a correction.
    public var match: Match?

    /// Makes a suggestion.
    public init(_ name: String, match: Match?) {
        self.name = name
        self.match = match
    }
}
