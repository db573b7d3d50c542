import Foundation
import Testing

@testable import TerminalUI

struct ThemeTests {
    private typealias Row = (Style, ColorDepth, Theme.Background, String)

    @Test(
        arguments: [
            (.plain, .full, .dark, "[m"),
            (Style(.accent), .full, .dark, "[0;38;2;127;180;255m"),
            (Style(.accent), .full, .light, "[0;38;2;11;87;196m"),
            (Style(.accent), .indexed256, .dark, "[0;38;5;111m"),
            (Style(.accent), .basic16, .dark, "[0;36m"),
            (Style(.accent), .none, .dark, "[0;1m"),
            (Style(.muted), .basic16, .light, "[0;2m"),
            (Style(on: .selection), .basic16, .light, "[0;7m"),
            (Style(on: .selection), .none, .light, "[0;7m"),
            (Style(on: .favorite), .basic16, .dark, "[0;30;43m"),
            (Style(on: .favorite), .none, .dark, "[0;1m"),
            (Style(on: .favorite), .full, .light, "[0;38;2;26;26;26;48;2;255;239;194m"),
            (Style(.failure, on: .favorite, .bold), .basic16, .dark, "[0;1;30;43m"),
            (Style(.muted, on: .favorite), .basic16, .dark, "[0;30;43m"),
            (Style(.muted, on: .selection), .basic16, .dark, "[0;2;7m"),
            (Style(.indexed(9), on: .indexed(16)), .indexed256, .dark, "[0;91;48;5;16m"),
            (Style(.rgb(RGB(250, 5, 5)), on: .rgb(RGB(8, 8, 8))), .indexed256, .dark, "[0;38;5;196;48;5;232m"),
            (Style(.rgb(RGB(250, 5, 5))), .basic16, .dark, "[0;91m"),
            (Style(.rgb(RGB(250, 5, 5)), .inverse), .none, .dark, "[0;7m"),
        ] as [Row]
    )
    func aStyleIsWrittenAsTheTerminalCanShowIt(
        _ style: Style,
        _ depth: ColorDepth,
        _ background: Theme.Background,
        _ sequence: String
    ) {
        #expect(Theme(depth: depth, background: background).sequence(for: style) == "\u{1B}" + sequence)
    }

    @Test(arguments: [Theme.Background.dark, .light])
    func among256ColorsAFavoriteDoesNotLookSelected(_ background: Theme.Background) throws {
        let theme = Theme(depth: .indexed256, background: background)
        guard case .color(.indexed(let favorite)) = Color.Role.favorite.asBackground(theme),
            case .color(.indexed(let selection)) = Color.Role.selection.asBackground(theme)
        else {
            Issue.record("not a color of the palette")
            return
        }
        #expect(!(232...255).contains(favorite), "a favorite is gray")
        #expect((232...255).contains(selection))
        let yellow = Theme.cubeColor(favorite)
        #expect(yellow.red == yellow.green && yellow.blue < yellow.red)
    }

    /// Every text on every background, as the terminal is told to show it. WCAG 2.1, 1.4.3 asks for 4.5.
    @Test(arguments: [ColorDepth.indexed256, .full], [Theme.Background.dark, .light])
    func everyStyleCanBeRead(_ depth: ColorDepth, _ background: Theme.Background) throws {
        let theme = Theme(depth: depth, background: background)
        let terminal = background == .dark ? RGB(0x1E, 0x1E, 0x1E) : RGB(0xFA, 0xFA, 0xFA)
        let colors = [Color.standard] + Color.Role.allCases.map(Color.role)
        for behind in colors {
            for text in colors where text != .standard || behind != .standard {
                let shown = Theme.colors(in: theme.sequence(for: Style(text, on: behind)))
                let color = try #require(shown.text, "\(text) on \(behind)")
                let contrast = color.contrast(with: shown.background ?? terminal)
                #expect(contrast >= 4.5, "\(text) on \(behind): \(contrast)")
            }
        }
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full),
            (["TERM": "xterm-256color"], .indexed256),
            (["TERM": "xterm-kitty"], .full),
            (["TERM": "linux"], .basic16),
            (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
            ([:], .none),
            (["TERM": "xterm-kitty", "NO_COLOR": "1"], .none),
            (["TERM": "xterm", "NO_COLOR": ""], .basic16),
        ] as [([String: String], ColorDepth)]
    )
    func theEnvironmentSaysHowManyColorsThereAre(_ variables: [String: String], _ depth: ColorDepth) {
        #expect(ColorDepth { variables[$0] } == depth)
    }
}

extension RGB {
    /// WCAG 2.2: the ratio of the lighter to the darker luminance, each raised by 0.05.
    fileprivate func contrast(with other: RGB) -> Double {
        let (one, other) = (luminance, other.luminance)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private var luminance: Double {
        let parts = [red, green, blue].map { part in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}

extension Theme {
    /// The colors that a sequence sets (SGR 38 and 48, with 2 or 5).
    fileprivate static func colors(in sequence: String) -> (text: RGB?, background: RGB?) {
        var codes = sequence.dropFirst(2).dropLast().split(separator: ";").compactMap { UInt8($0) }[...]
        var (text, background): (RGB?, RGB?) = (nil, nil)
        while let code = codes.popFirst() {
            guard code == 38 || code == 48, let kind = codes.popFirst() else { continue }
            let parts = Array(codes.prefix(kind == 2 ? 3 : 1))
            codes = codes.dropFirst(parts.count)
            let color = kind == 2 ? RGB(parts[0], parts[1], parts[2]) : paletteColor(parts[0])
            if code == 38 { text = color } else { background = color }
        }
        return (text, background)
    }

    /// A color by its number among 256, from 16 on.
    private static func paletteColor(_ index: UInt8) -> RGB {
        guard index >= 232 else { return cubeColor(index) }
        let gray = 8 + 10 * (index - 232)
        return RGB(gray, gray, gray)
    }

    /// A color of the cube of 6 x 6 x 6, by its number among 256.
    fileprivate static func cubeColor(_ index: UInt8) -> RGB {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let place = Int(index) - 16
        return RGB(levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    }
}
