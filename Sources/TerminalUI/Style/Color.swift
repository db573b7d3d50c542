package enum Color: Sendable, Hashable {
    case standard
    case role(Role)
    /// Users can configure the first 16.
    case indexed(UInt8)
    case rgb(RGB)

    /// The color is never the only sign of a meaning: a symbol or the position says the same.
    package enum Role: Sendable, Hashable, CaseIterable {
        /// Less important text: hints, counts, data that is not loaded yet.
        case muted
        /// Titles, and the open tab.
        case accent
        case favorite
        /// The element with the keyboard focus.
        case selection
        case success, warning, failure
    }

    var role: Role? { if case .role(let role) = self { role } else { nil } }

    package static let muted = Color.role(.muted)
    package static let accent = Color.role(.accent)
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

    init(_ number: UInt32) {
        self.init(UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    }

    /// Perceived, from 0 (black) to 1 (white) (ITU-R BT.601).
    package var brightness: Double {
        (0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)) / 255
    }
}

package enum ColorDepth: Sendable, Hashable, Comparable {
    case none
    case basic16
    case indexed256
    case full

    /// Reads `NO_COLOR` (if it is not empty), `COLORTERM` and `TERM`.
    package init(environment variable: (String) -> String?) {
        let term = variable("TERM") ?? ""
        if variable("NO_COLOR").map({ !$0.isEmpty }) == true || term.isEmpty || term == "dumb" {
            self = .none
        } else if ["truecolor", "24bit"].contains(variable("COLORTERM")) || ColorDepth.isFull(term) {
            self = .full
        } else if term.contains("256color") {
            self = .indexed256
        } else {
            self = .basic16
        }
    }

    private static func isFull(_ term: String) -> Bool {
        term.hasSuffix("-direct") || ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm"].contains(term)
    }
}

extension RGB {
    /// The index of the nearest of the 240 colors that are the same in every terminal: a cube of 6 x 6 x 6, and 24 grays.
    var indexed: UInt8 {
        let parts = [red, green, blue].map { part in RGB.cube.indices.min { RGB.gap(part, $0) < RGB.gap(part, $1) } ?? 0
        }
        let inCube = RGB(RGB.cube[parts[0]], RGB.cube[parts[1]], RGB.cube[parts[2]])
        let gray = min(max((Int(red) + Int(green) + Int(blue)) / 3 - 3, 0) / 10, 23)
        let level = UInt8(8 + 10 * gray)
        if distance(to: RGB(level, level, level)) < distance(to: inCube) { return UInt8(232 + gray) }
        return UInt8(16 + 36 * parts[0] + 6 * parts[1] + parts[2])
    }

    /// The nearest of the first 16 colors, with xterm's default values.
    var basic: UInt8 {
        let nearest = RGB.basic.indices.min { distance(to: RGB.basic[$0]) < distance(to: RGB.basic[$1]) }
        return UInt8(nearest ?? 7)
    }

    private func distance(to other: RGB) -> Int {
        let parts = [(red, other.red), (green, other.green), (blue, other.blue)]
        return parts.reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    }

    private static func gap(_ part: UInt8, _ index: Int) -> Int { abs(Int(part) - Int(cube[index])) }

    private static let cube: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let basic = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ].map { RGB(UInt32($0)) }
}
