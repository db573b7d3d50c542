import Browse
import MarvelDomain
import Testing

struct PlainInputTests {
    @Test(
        arguments: [
            ("spider", .search("spider")), ("  iron   man ", .search("iron man")), ("에이", .search("에이")),
            ("", .more), ("   ", .more), ("\t\r", .more), ("more", .more), ("MORE", .more), ("back", .back),
            ("1", .choose(1)), (" 12 ", .choose(12)), ("0", .choose(0)), ("99999999999999999999", .choose(.max)),
            ("-5", .search("-5")), ("٣٣", .search("٣٣")), ("1 2", .search("1 2")),
            ("show 3", .show(3)), ("Show 3", .show(3)), ("show", .invalid(.showWithoutNumber)),
            ("show me", .invalid(.showWithoutNumber)), ("showman", .search("showman")),
            ("favorites", .favorites), ("f", .favorites), ("search", .results), ("s", .results), ("recent", .recent),
            ("search thor", .search("thor")), ("search t", .invalid(.shortText("t"))),
            ("more thor", .search("more thor")),
            ("match prefix", .match(.prefix)), ("match word", .match(.wordPrefix)),
            ("match Substring", .match(.substring)),
            ("match fuzzy", .match(.fuzzy)), ("match", .invalid(.unknownMatch)), ("match all", .invalid(.unknownMatch)),
            ("about", .about), ("retry", .retry), ("r", .retry), ("help", .help), ("?", .help), ("quit", .quit),
            ("q", .quit),
            ("/more", .search("more")), ("/ 47", .search("47")), ("\"quit\"", .search("quit")),
            ("“show 3”", .search("show 3")), ("'back'", .search("back")), ("\"", .invalid(.shortText("\""))),
            ("/", .invalid(.shortText(""))), ("/q", .invalid(.shortText("q"))), ("x", .invalid(.shortText("x"))),
            ("th\u{1B}[31mor", .search("th[31mor")), ("q\u{7}", .quit),
            (String(repeating: "a", count: 101), .invalid(.longText(.tooLong(letters: 101)))),
        ] as [(String, PlainInput)]
    )
    func aLineAsksFor(line: String, input: PlainInput) {
        #expect(PlainInput(line) == input)
    }
}

struct LineCutterTests {
    @Test func linesAreTheSameHoweverTheyCome() {
        let bytes = Array("spider\n\nmán\nlast".utf8)
        for size in 1...bytes.count {
            var cutter = LineCutter()
            for start in stride(from: 0, to: bytes.count, by: size) {
                cutter.read(bytes[start..<min(start + size, bytes.count)])
            }
            cutter.end()
            let lines = (0..<6).map { _ in cutter.next() }
            #expect(lines == [.text("spider"), .text(""), .text("mán"), .text("last"), .end, nil])
        }
    }

    @Test func aLineThatIsTooLongIsNotKeptAndTheNextOneIsWhole() {
        var cutter = LineCutter()
        cutter.read(Array(repeating: UInt8(ascii: "a"), count: LineCutter.limit))
        cutter.read(Array("\n".utf8))
        cutter.read(Array(repeating: UInt8(ascii: "b"), count: LineCutter.limit + 1))
        #expect(cutter.next() == .text(String(repeating: "a", count: LineCutter.limit)))
        #expect(cutter.next() == nil)
        cutter.read(Array("\nq\n".utf8))
        #expect([cutter.next(), cutter.next(), cutter.next()] == [.tooLong, .text("q"), nil])
    }
}
