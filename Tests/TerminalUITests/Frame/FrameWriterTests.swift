import MarvelDomain
import Testing

@testable import TerminalUI

struct FrameWriterTests {
    private static let theme = Theme(depth: .full)
    private let size = TerminalSize(columns: 10, rows: 3)

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛")
    }

    @Test func theFirstFrameDrawsEverything() {
        var writer = FrameWriter(theme: Self.theme)
        var screen = Screen(size: size)
        screen.put("Hulk", at: Position(column: 2, row: 1))
        screen.cursor = Position(column: 6, row: 1)
        #expect(text(writer.frame(screen)) == "␛[?2026h␛[?25l␛[m␛[2J␛[2;3H␛[mHulk␛[?25h␛[?2026l")
    }

    @Test func onlyDifferencesAreDrawn() {
        var writer = FrameWriter(theme: Self.theme)
        var screen = Screen(size: size)
        screen.put("Hulk Thor", at: Position(column: 0, row: 0))
        _ = writer.frame(screen)
        screen.put("a", at: Position(column: 3, row: 0))
        screen.put("b", at: Position(column: 5, row: 0), style: Style(.indexed(1), .bold))
        #expect(text(writer.frame(screen)) == "␛[?2026h␛[1;4H␛[ma␛[C␛[0;1;31mb␛[?2026l")
        screen.fill(Rectangle(column: 2, row: 0, width: 8, height: 1))
        #expect(text(writer.frame(screen)) == "␛[?2026h␛[1;3H␛[m␛[K␛[?2026l")
    }

    @Test func aMovedCursorIsTheOnlyOutput() {
        var writer = FrameWriter(theme: Self.theme)
        var screen = Screen(size: size)
        _ = writer.frame(screen)
        #expect(writer.frame(screen).isEmpty)
        screen.cursor = Position(column: 0, row: 2)
        #expect(text(writer.frame(screen)) == "␛[?2026h␛[3;1H␛[?25h␛[?2026l")
        screen.cursor = nil
        #expect(text(writer.frame(screen)) == "␛[?2026h␛[?25l␛[?2026l")
    }

    @Test func anotherSizeIsDrawnAgain() {
        var writer = FrameWriter(theme: Self.theme)
        _ = writer.frame(Screen(size: size))
        #expect(text(writer.frame(Screen(size: TerminalSize(columns: 4, rows: 2)))).contains("␛[2J"))
        writer.redraw()
        #expect(text(writer.frame(Screen(size: TerminalSize(columns: 4, rows: 2)))).contains("␛[2J"))
    }

    /// Emoji take more or fewer columns elsewhere: what is beside them stays in its place all the same.
    @Test(arguments: ReferenceTerminal.Widths.allCases)
    func aLineKeepsItsColumnsWhateverATerminalThinksOfEmoji(_ widths: ReferenceTerminal.Widths) throws {
        var terminal = ReferenceTerminal(columns: 16, rows: 1, widths: widths)
        var writer = FrameWriter(theme: Self.theme)
        var screen = Screen(size: TerminalSize(columns: 16, rows: 1))
        for (line, end) in [
            ("|| 12345678", "12345678"), ("|👨‍👩‍👧‍👦|2345678", "|2345678"), ("|❤️|2345678", "|2345678"),
            ("abcdefghijk", "defghijk"),
        ] {
            screen.put(line, at: Position(column: 0, row: 0))
            try terminal.show(writer.frame(screen))
            #expect(terminal.text.hasSuffix(end), "\(line)")
        }
    }

    /// The property that all the others serve: what is shown is what was meant, whatever was shown before.
    @Test(arguments: [ColorDepth.none, .basic16, .indexed256, .full], [Theme.Background.dark, .light])
    func aTerminalShowsTheDrawnFrame(depth: ColorDepth, background: Theme.Background) throws {
        for seed in UInt64(0)..<60 {
            var numbers = SplitMix64(seed: seed)
            let size = TerminalSize(columns: numbers.pick([1, 2, 7, 20]), rows: numbers.pick([1, 5]))
            let theme = Theme(depth: depth, background: background)
            var terminal = ReferenceTerminal(columns: size.columns, rows: size.rows)
            var writer = FrameWriter(theme: theme)
            var screen = Screen(size: size)
            for step in 0..<12 {
                numbers.draw(on: &screen)
                try terminal.show(writer.frame(screen))
                try expect(terminal, shows: screen, theme, "seed \(seed), step \(step)")
            }
        }
    }

    private func expect(_ terminal: ReferenceTerminal, shows screen: Screen, _ theme: Theme, _ place: Comment) throws {
        #expect(terminal.text == screen.text, place)
        #expect(!terminal.isSynchronized, place)
        #expect(terminal.isCursorVisible == (screen.cursor != nil), place)
        if let cursor = screen.cursor {
            #expect(cursor == Position(column: terminal.column, row: terminal.row), place)
        }
        // The looks: each style is told apart from others by a terminal that is asked for nothing else.
        var looks: [String: Set<String>] = [:]
        for row in 0..<screen.size.rows {
            for column in 0..<screen.size.columns {
                let style = screen[Position(column: column, row: row)].style
                let sequence = theme.sequence(for: style)
                if looks[sequence] == nil {
                    var plain = ReferenceTerminal(columns: 1, rows: 1)
                    try plain.show(Array("\u{1B}[1;1H\(sequence)x".utf8))
                    looks[sequence] = plain.cells[0].look
                }
                let look = terminal.cells[row * screen.size.columns + column].look
                #expect(look == looks[sequence], "\(place) at \(column), \(row)")
            }
        }
    }
}
