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
            (Style(.match, on: .favorite, .bold), .basic16, .dark, "[0;1;4;30;43m"),
            (Style(.muted, on: .favorite), .basic16, .dark, "[0;30;43m"),
            (Style(.muted, on: .selection), .basic16, .dark, "[0;2;7m"),
            (Style(.indexed(9), on: .indexed(16)), .indexed256, .dark, "[0;91;48;5;16m"),
            (Style(.rgb(RGB(250, 5, 5)), on: .rgb(RGB(8, 8, 8))), .indexed256, .dark, "[0;38;5;196;48;5;232m"),
            (Style(.rgb(RGB(250, 5, 5))), .basic16, .dark, "[0;91m"),
            (Style(.rgb(RGB(250, 5, 5)), .underline), .none, .dark, "[0;4m"),
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

    /// WCAG 2.1, 1.4.3 asks for 4.5.
    @Test(arguments: Color.Role.allCases, [Theme.Background.dark, .light])
    func everyRoleCanBeRead(_ role: Color.Role, _ background: Theme.Background) throws {
        let theme = Theme(depth: .full, background: background)
        let terminal = background == .dark ? RGB(0x1E, 0x1E, 0x1E) : RGB(0xFA, 0xFA, 0xFA)
        let text = try #require(role.asText(theme, on: nil).rgb)
        #expect(contrast(text, terminal) >= 4.5)
        let behind = try #require(role.asBackground(theme).rgb)
        let textBefore = try #require(Paint.color(role.textOnBackground(theme)).rgb)
        #expect(contrast(textBefore, behind) >= 7)
        for other in [Color.Role.match, .accent, .failure, .muted] {
            let text = try #require(other.asText(theme, on: role).rgb)
            #expect(contrast(text, behind) >= 3, "\(other) on \(role)")
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

    private func contrast(_ one: RGB, _ other: RGB) -> Double {
        let luminances = [one, other].map { color in
            let parts = [color.red, color.green, color.blue].map { part in
                let value = Double(part) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        return ((luminances.max() ?? 0) + 0.05) / ((luminances.min() ?? 0) + 0.05)
    }
}

extension Paint {
    fileprivate var rgb: RGB? {
        guard case .color(.rgb(let color)) = self else { return nil }
        return color
    }
}

extension Theme {
    /// A color of the cube of 6 x 6 x 6, by its number among 256.
    fileprivate static func cubeColor(_ index: UInt8) -> RGB {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let place = Int(index) - 16
        return RGB(levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    }
}
