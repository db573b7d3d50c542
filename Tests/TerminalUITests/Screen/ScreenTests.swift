import Testing

@testable import TerminalUI

struct ScreenTests {
    private func screen() -> Screen { Screen(size: TerminalSize(columns: 10, rows: 2)) }

    private typealias Row = (String, Int, Rectangle?, String)

    @Test(
        arguments: [
            ("Hulk", 0, nil, "Hulk"),
            ("Hulk", 8, nil, "        Hu"),
            ("Hulk", -2, nil, "lk"),
            ("Hulk", 2, Rectangle(column: 3, row: 0, width: 2, height: 1), "   ul"),
            ("Hulk", 2, Rectangle(column: 3, row: 1, width: 2, height: 1), ""),
            ("스파이더맨", 0, nil, "스파이더맨"),
            ("스파이더맨", 1, nil, " 스파이더"),
            ("스파", -1, nil, " 파"),
            ("a스b", 0, Rectangle(column: 0, row: 0, width: 2, height: 1), "a"),
            ("e\u{301}\u{200B}x", 0, nil, "e\u{301}x"),
            ("\u{1B}[2Jx", 0, nil, "\u{FFFD}[2Jx"),
            ("a\nb", 0, nil, "a b"),
            ("ﾊﾞx", 0, nil, "ﾊﾞx"),
        ] as [Row]
    )
    func textIsCutToTheScreen(_ text: String, _ column: Int, _ clip: Rectangle?, _ shown: String) {
        var screen = screen()
        screen.put(text, at: Position(column: column, row: 0), within: clip)
        #expect(screen.text == shown + "\n")
    }

    @Test func theFullWidthIsReturnedEvenIfTheTextIsCut() {
        var screen = screen()
        let width = screen.put("스파x", at: Position(column: 8, row: 5))
        #expect(width == 5)
    }

    @Test func halfOfAWideLetterIsBlank() {
        var screen = screen()
        screen.put("한글", at: Position(column: 0, row: 0))
        screen.put("x", at: Position(column: 1, row: 0))
        #expect(screen.text == " x글\n")
        screen.put("y", at: Position(column: 2, row: 0))
        #expect(screen.text == " xy\n")
        screen.put("한", at: Position(column: 1, row: 0))
        #expect(screen.text == " 한\n")
    }

    @Test func paintLeavesTheText() {
        var screen = screen()
        screen.put("한x", at: Position(column: 0, row: 0), style: Style(.accent, .bold))
        screen.paint(screen.bounds, .favorite)
        #expect(screen.text == "한x\n")
        #expect(screen[Position(column: 0, row: 0)].style == Style(.accent, on: .favorite, .bold))
        #expect(screen[Position(column: 9, row: 1)].style == Style(on: .favorite))
    }

    @Test func marksHeapedOnALetterAreLimited() {
        var screen = screen()
        screen.put("e" + String(repeating: "\u{301}", count: 10_000), at: Position(column: 0, row: 0))
        #expect(screen.text.utf8.count < 50)
    }

    @Test(arguments: [TerminalSize(columns: 0, rows: 0), TerminalSize(columns: -1, rows: 5)])
    func aWindowMayHaveNoCells(_ size: TerminalSize) {
        var screen = Screen(size: size)
        screen.put("Hulk", at: Position(column: 0, row: 0))
        screen.fill(Rectangle(column: 0, row: 0, width: 5, height: 5))
        #expect(screen.text.allSatisfy { $0 == "\n" })
    }

    @Test func anImpossibleWindowSizeIsLimited() {
        #expect(Screen(size: TerminalSize(columns: 65_535, rows: 1)).size == TerminalSize(columns: 2_000, rows: 1))
    }

    @Test func drawingOverAPictureRemovesIt() throws {
        let image = try #require(PixelImage(width: 1, height: 1, pixels: [1, 2, 3, 255]))
        var screen = screen()
        screen.put("Hulk", at: Position(column: 0, row: 0))
        screen.place(image, id: 1, in: Rectangle(column: 0, row: 0, width: 3, height: 2))
        screen.place(image, id: 2, in: Rectangle(column: 5, row: 0, width: 5, height: 2))
        screen.place(image, id: 3, in: Rectangle(column: 5, row: 0, width: 6, height: 2))
        #expect(screen.text == "   k\n")
        #expect(screen.pictures.map(\.id) == [1, 2])
        screen.paint(screen.bounds, .favorite)
        screen.put("x", at: Position(column: 4, row: 0))
        #expect(screen.pictures.map(\.id) == [1, 2])
        screen.put("x", at: Position(column: 2, row: 1))
        #expect(screen.pictures.map(\.id) == [2])
    }
}
