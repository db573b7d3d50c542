/// What one place of the window shows. A wide grapheme has two: the second shows nothing of its own.
package struct Cell: Sendable, Hashable {
    /// Free of everything that a terminal would obey.
    package private(set) var grapheme: Character
    /// Columns: 1 or 2; 0 for the second half of a wide grapheme.
    package private(set) var width: Int8
    package var style: Style

    /// A space.
    package static func blank(_ style: Style = .plain) -> Cell { Cell(" ", width: 1, style: style) }

    static func secondHalf(_ style: Style) -> Cell { Cell(" ", width: 0, style: style) }

    /// - Parameters:
    ///   - grapheme: Of a text without controls.
    ///   - width: Its display width, 1 or 2.
    ///   - style: How it looks.
    init(_ grapheme: Character, width: Int8, style: Style) {
        self.grapheme = grapheme.limited
        self.width = width
        self.style = style
    }

    var isPlainBlank: Bool { width == 1 && grapheme == " " && style == .plain }
}

extension Character {
    /// Marks can be heaped on a letter without end; no writing needs so many.
    private static let maximumScalars = 16

    fileprivate var limited: Character {
        if isASCII || utf8.count <= Character.maximumScalars { return self }
        let kept = String(String.UnicodeScalarView(unicodeScalars.prefix(Character.maximumScalars)))
        return kept.count == 1 ? Character(kept) : "\u{FFFD}"
    }
}
