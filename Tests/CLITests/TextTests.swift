import MarvelClient
import MarvelDomain
import ProgramSupport
import TerminalUI
import Testing

@testable import marvel

struct TableTests {
    @Test func aNarrowTerminalHasNoLastColumn() {
        var table = Table([Table.Column("NAME"), Table.Column("TEXT")])
        let rows = [[Table.Cell("Thor"), Table.Cell("x")]]
        #expect(table.lines(for: rows, lineWidth: 3, style: ANSIStyle(isColored: false)) == ["NAME", "Thor"])
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
