/// The colors and attributes of a text.
package struct Style: Sendable, Hashable {
    package struct Attributes: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let faint = Attributes(rawValue: 2)
        package static let underline = Attributes(rawValue: 4)
        package static let inverse = Attributes(rawValue: 8)
    }

    package var foreground: Color
    package var background: Color
    package var attributes: Attributes

    package init(_ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's default colors and no attributes.
    package static let plain = Style()

    /// Returns the style with another background.
    package func on(_ background: Color) -> Style { Style(foreground, on: background, attributes) }
}
