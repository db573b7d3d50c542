/// A cell of the window. A wide grapheme takes two cells; the second one is an empty placeholder.
package struct Cell: Sendable, Hashable {
    /// Contains no control characters.
    package private(set) var grapheme: Character
    /// 1 or 2; 0 for the second half of a wide grapheme.
    package private(set) var width: Int8
    package var style: Style

    package static func blank(_ style: Style = .plain) -> Cell { Cell(" ", width: 1, style: style) }

    static func secondHalf(_ style: Style) -> Cell { Cell(" ", width: 0, style: style) }

    /// `grapheme` has no control characters, and `width` is its display width, 1 or 2.
    init(_ grapheme: Character, width: Int8, style: Style) {
        self.grapheme = grapheme.limited
        self.width = width
        self.style = style
    }

    var isPlainBlank: Bool { width == 1 && grapheme == " " && style == .plain }
}

extension Character {
    /// In scalars. Unicode allows any number of combining marks; no script needs more than this.
    private static let maximumScalars = 16

    fileprivate var limited: Character {
        if isASCII || utf8.count <= Character.maximumScalars { return self }
        let kept = String(String.UnicodeScalarView(unicodeScalars.prefix(Character.maximumScalars)))
        return kept.count == 1 ? Character(kept) : "\u{FFFD}"
    }
}
