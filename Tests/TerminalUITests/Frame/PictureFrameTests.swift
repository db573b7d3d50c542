import MarvelDomain
import Testing

@testable import TerminalUI

/// True pictures among text that changes.
struct PictureFrameTests {
    private static let cell = PixelSize(width: 4, height: 6)

    private static func images() -> [PixelImage] {
        var numbers = SplitMix64(seed: 1)
        return (0..<3).map { .random(&numbers, width: 8 + $0, height: 9, colors: 3) }
    }

    @Test func aTerminalShowsThePicturesAndNothingElse() throws {
        let images = Self.images()
        let size = TerminalSize(columns: 20, rows: 8)
        for seed in UInt64(0)..<50 {
            var numbers = SplitMix64(seed: seed)
            var terminal = ReferenceTerminal(columns: size.columns, rows: size.rows)
            var writer = FrameWriter(theme: Theme(depth: .full), pictures: .kitty(cell: Self.cell))
            var screen = Screen(size: size)
            for step in 0..<10 {
                if Int.random(in: 0..<4, using: &numbers) == 0 { screen = Screen(size: size) }
                for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                    let id = Int.random(in: 0..<3, using: &numbers)
                    let area = numbers.rectangle(around: TerminalSize(columns: 20, rows: 3))
                    screen.place(images[id], id: id, in: area, fit: numbers.pick([.contain, .cover]))
                }
                if Bool.random(using: &numbers) { numbers.draw(on: &screen) }
                try terminal.show(writer.frame(screen))
                #expect(terminal.text == screen.text, "seed \(seed), step \(step)")
                #expect(terminal.kittyPictures == expected(screen), "seed \(seed), step \(step)")
            }
        }
    }

    private func expected(_ screen: Screen) -> Set<ReferenceTerminal.Picture> {
        Set(
            screen.pictures.compactMap { placement in
                let area = placement.rectangle
                let size = PixelSize(width: area.width * Self.cell.width, height: area.height * Self.cell.height)
                guard let image = placement.image.fitted(to: size, placement.fit) else { return nil }
                let parts = image.isOpaque ? 3 : 4
                let bytes = image.pixels.indices.filter { $0 % 4 < parts }.map { image.pixels[$0] }
                return ReferenceTerminal.Picture(bytes: bytes, area: area)
            }
        )
    }

    @Test func anImageIsHandedOverOnce() {
        var writer = FrameWriter(theme: Theme(depth: .full), pictures: .kitty(cell: Self.cell))
        var texts: [String] = []
        for row in [0, 1, 5] {
            var screen = Screen(size: TerminalSize(columns: 20, rows: 8))
            screen.place(Self.images()[0], id: 1, in: Rectangle(column: 1, row: row, width: 4, height: 2))
            texts.append(String(decoding: writer.frame(screen), as: UTF8.self))
        }
        #expect(texts.map { $0.contains("a=t,") } == [true, false, false])
        #expect(texts.allSatisfy { $0.contains("a=p,") })
        writer.redraw()
        let again = String(decoding: writer.frame(Screen(size: TerminalSize(columns: 20, rows: 8))), as: UTF8.self)
        #expect(again.contains("d=A"))
    }

    @Test func unusedPicturesAreForgotten() {
        var writer = FrameWriter(theme: Theme(depth: .full), pictures: .kitty(cell: Self.cell))
        var forgotten = 0
        for id in 0..<300 {
            var screen = Screen(size: TerminalSize(columns: 20, rows: 8))
            screen.place(Self.images()[0], id: id, in: Rectangle(column: 1, row: 1, width: 2, height: 1))
            forgotten += String(decoding: writer.frame(screen), as: UTF8.self).components(of: "d=I")
        }
        #expect(forgotten == 300 - 128)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
