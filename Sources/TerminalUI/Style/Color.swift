/// A color of text, or of what is behind it.
package enum Color: Sendable, Hashable {
    /// The terminal's own.
    case standard
    /// By meaning: the theme says which color it is here, or which attribute where there are no colors.
    case role(Role)
    /// One of the 256 that terminals number; the first 16 are the person's own choice.
    case indexed(UInt8)
    case rgb(RGB)

    /// What a color tells. It never tells it alone: a sign or the position says the same.
    package enum Role: Sendable, Hashable, CaseIterable {
        /// Of less importance: hints, counts, what is not known yet.
        case muted
        /// Titles, and the tab that is open.
        case accent
        /// The part of a name that was searched for.
        case match
        case favorite
        /// Where the keys go.
        case selection
        case success, warning, failure
    }

    var role: Role? { if case .role(let role) = self { role } else { nil } }

    package static let muted = Color.role(.muted)
    package static let accent = Color.role(.accent)
    package static let match = Color.role(.match)
    package static let favorite = Color.role(.favorite)
    package static let selection = Color.role(.selection)
    package static let success = Color.role(.success)
    package static let warning = Color.role(.warning)
    package static let failure = Color.role(.failure)
}

package struct RGB: Sendable, Hashable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// `0xRRGGBB`.
    init(_ number: UInt32) {
        self.init(UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    }

    /// From 0, black, to 1, white, as the eye weighs the parts (ITU-R BT.601).
    package var brightness: Double {
        (0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)) / 255
    }
}
