import MarvelClient
import MarvelDomain
import ProgramSupport
import TerminalUI
import Testing

@testable import marvel

struct TableTests {
    private let plain = ANSIStyle(isColored: false)

    private func table() -> Table {
        Table([
            Table.Column("N", .right), Table.Column("NAME"), Table.Column("TEXT"),
        ])
    }

    private func row(_ texts: String...) -> [Table.Cell] { texts.map { Table.Cell($0) } }

    @Test func columnsAlignByDisplayWidth() {
        var table = table()
        let rows = [row("1", "Hulk", "green"), row("22", "헐크", ""), row("333", "🦸", "x")]
        #expect(
            table.lines(for: rows, lineWidth: nil, style: plain) == [
                "  N  NAME  TEXT",
                "  1  Hulk  green",
                " 22  헐크",
                "333  🦸    x",
            ]
        )
    }

    @Test func onlyTheLastColumnIsCut() {
        var table = table()
        let lines = table.lines(for: [row("1", "Hulk", "green and strong")], lineWidth: 17, style: plain)
        #expect(lines == ["N  NAME  TEXT", "1  Hulk  green a…"])
        #expect(table.lines(for: [row("2", "Thor", "x")], lineWidth: 5, style: plain) == ["2  Thor"])
    }

    @Test func laterRowsKeepTheWidthsAndHaveNoTitles() {
        var table = table()
        _ = table.lines(for: [row("1", "Hulk (Bruce)", "x")], lineWidth: nil, style: plain)
        #expect(table.lines(for: [row("2", "Thor", "y")], lineWidth: nil, style: plain) == ["2  Thor          y"])
    }

    @Test func colorsTakeNoWidth() {
        var table = table()
        let cells = [
            Table.Cell("1"), Table.Cell("Hulk", .favorite), Table.Cell("strong", .faint),
        ]
        let lines = table.lines(for: [cells], lineWidth: 12, style: ANSIStyle(isColored: true))
        #expect(lines[1] == "1  \u{1B}[1;33mHulk\u{1B}[0m  \u{1B}[2mst…\u{1B}[0m")
    }
}

struct ColorTests {
    private typealias Row = (ColorChoice, [String: String], Bool, Bool)

    @Test(
        arguments: [
            (ColorChoice.auto, [:], true, true),
            (.auto, [:], false, false),
            (.auto, ["NO_COLOR": "1"], true, false),
            (.auto, ["NO_COLOR": ""], true, true),
            (.auto, ["TERM": "dumb"], true, false),
            (.auto, ["TERM": "xterm"], true, true),
            (.auto, ["FORCE_COLOR": "1"], false, true),
            (.auto, ["FORCE_COLOR": "1", "NO_COLOR": "1"], false, true),
            (.auto, ["FORCE_COLOR": "0"], true, false),
            (.always, ["NO_COLOR": "1", "TERM": "dumb"], false, true),
            (.never, ["FORCE_COLOR": "1"], true, false),
        ] as [Row]
    )
    func optionVariablesAndTerminalDecideOnColor(
        _ choice: ColorChoice,
        _ variables: [String: String],
        _ isTerminal: Bool,
        _ isOn: Bool
    ) {
        #expect(ANSIStyle(choice, environment: Environment(variables), isTerminal: isTerminal).isColored == isOn)
    }
}

struct TimeTextTests {
    @Test(arguments: [
        (Duration.milliseconds(250), "250 ms"), (.seconds(2), "2 s"), (.seconds(119), "119 s"),
        (.seconds(180), "3 min"), (.seconds(18_000), "5 h"), (.seconds(5 * 86_400), "5 days"),
    ])
    func durationsHaveReadableUnits(_ duration: Duration, _ text: String) {
        #expect(duration.inWords == text)
    }
}
