import MarvelClient
import MarvelDomain
import TerminalUI
import Testing

@testable import marvel

struct TableTests {
    private let plain = ANSIStyle(isColored: false)

    private func table() -> Table {
        Table([
            Table.Column(title: "N", alignment: .right), Table.Column(title: "NAME"), Table.Column(title: "TEXT"),
        ])
    }

    private func row(_ texts: String...) -> [Table.Cell] { texts.map { Table.Cell(text: $0) } }

    @Test func columnsLineUpByWhatATerminalShows() {
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
            Table.Cell(text: "1"), Table.Cell(text: "Hulk", role: .favorite), Table.Cell(text: "strong", role: .faint),
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
    func isOnWhereItIsWanted(_ choice: ColorChoice, _ variables: [String: String], _ isTerminal: Bool, _ isOn: Bool) {
        #expect(ANSIStyle(choice, environment: Environment(variables), isTerminal: isTerminal).isColored == isOn)
    }
}

struct TimeTextTests {
    @Test(arguments: [
        (Timestamp(seconds: 0), "1970-01-01T00:00:00Z"),
        (Timestamp(seconds: 951_782_400), "2000-02-29T00:00:00Z"),
        (Timestamp(seconds: 1_767_603_072, nanoseconds: 5_000_000), "2026-01-05T08:51:12.005Z"),
        (Timestamp(seconds: 1_767_603_072, nanoseconds: 5_000), "2026-01-05T08:51:12.000005Z"),
        (Timestamp(seconds: 1_767_603_072, nanoseconds: 5), "2026-01-05T08:51:12.000000005Z"),
        (Timestamp(seconds: -1), "1969-12-31T23:59:59Z"),
        (Timestamp(seconds: -62_135_596_800), "0001-01-01T00:00:00Z"),
        (Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999), "9999-12-31T23:59:59.999999999Z"),
    ])
    func momentsAreRFC3339(_ moment: Timestamp, _ text: String) {
        #expect(moment.rfc3339 == text)
    }

    @Test(arguments: [Int64.min, .max])
    func noMomentIsTooFar(_ seconds: Int64) {
        #expect(Timestamp(seconds: seconds).rfc3339.hasSuffix("Z"))
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.seconds(3), "3s"), (.milliseconds(1_500), "1.500s"), (.microseconds(7), "0.000007s"),
        (.nanoseconds(1), "0.000000001s"), (.milliseconds(-1_500), "-1.500s"),
    ])
    func durationsAreProtobufs(_ duration: Duration, _ text: String) {
        #expect(duration.protobufJSON == text)
    }

    @Test(arguments: [
        (Duration.milliseconds(250), "250 ms"), (.seconds(2), "2 s"), (.seconds(119), "119 s"),
        (.seconds(180), "3 min"), (.seconds(18_000), "5 h"), (.seconds(5 * 86_400), "5 days"),
    ])
    func durationsReadWell(_ duration: Duration, _ text: String) {
        #expect(duration.inWords == text)
    }
}

struct JSONValueTests {
    @Test func keysKeepTheirOrder() {
        let value: JSONValue = ["b": .integer(.max), "a": .array([.bool(true), .bool(false)]), "c": [:]]
        #expect(value.line == #"{"b":9223372036854775807,"a":[true,false],"c":{}}"#)
    }

    @Test(arguments: [
        ("é 스 🕷️", "\"é 스 🕷️\""), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{1B}\u{7F}\u{9B}\u{2028}", #""\u0000\u001b\u007f\u009b\u2028""#),
    ])
    func stringsAreEscaped(_ text: String, _ line: String) {
        #expect(JSONValue.string(text).line == line)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func bytesAreBase64(_ text: String, _ encoded: String) {
        #expect(Array(text.utf8).base64 == encoded)
    }
}
