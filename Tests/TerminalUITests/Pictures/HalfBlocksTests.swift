import Testing

@testable import TerminalUI

struct HalfBlocksTests {
    private func screen() -> Screen { Screen(size: TerminalSize(columns: 4, rows: 2)) }

    @Test func aPictureIsMadeOfLetters() throws {
        var screen = screen()
        let image = PixelImage.rows([
            [PixelImage.red, PixelImage.red, PixelImage.clear, PixelImage.clear],
            [PixelImage.blue, PixelImage.clear, PixelImage.blue, PixelImage.clear],
        ])
        screen.fill(screen.bounds, style: Style(on: .favorite))
        screen.place(image, id: 1, in: Rectangle(column: 0, row: 0, width: 4, height: 1))
        var writer = PictureWriter(.halfBlocks)
        let drawn = writer.prepared(screen)
        let red = Color.rgb(RGB(255, 0, 0))
        let blue = Color.rgb(RGB(0, 0, 255))
        #expect(drawn.text == "▀▀▄\n" && drawn.pictures.isEmpty)
        let styles = (0..<4).map { drawn[Position(column: $0, row: 0)].style }
        #expect(
            styles == [
                Style(red, on: blue), Style(red, on: .favorite), Style(blue, on: .favorite), Style(on: .favorite),
            ]
        )
    }

    @Test func withoutPicturesTheirCellsAreBlank() {
        var screen = screen()
        screen.place(.rows([[PixelImage.red]]), id: 1, in: screen.bounds)
        var writer = FrameWriter(theme: Theme(depth: .none))
        let bytes = writer.frame(screen)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("▀"))
    }

    @Test func fewColorsAreNear() {
        var screen = screen()
        screen.place(
            .rows([[PixelImage.red]]),
            id: 1,
            in: Rectangle(column: 0, row: 0, width: 1, height: 1),
            fit: .cover
        )
        var writer = FrameWriter(theme: Theme(depth: .indexed256))
        let text = String(decoding: writer.frame(screen), as: UTF8.self)
        #expect(text.contains("[0;38;5;196;48;5;196m▀"))
    }
}
