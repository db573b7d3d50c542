import Testing

@testable import TerminalUI

struct TerminalModesTests {
    /// The changed modes of a terminal, from its input bytes.
    private func changes(_ bytes: [UInt8]) -> Set<String> {
        var changes: Set<String> = []
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        while let start = text.firstIndex(of: "\u{1B}") {
            text = text[start...].dropFirst()
            let end = text.firstIndex { $0 == "\u{18}" || $0 == "\u{1B}" } ?? text.endIndex
            let sequence = text[..<end]
            switch sequence {
            case "[?25l", "[?7l": changes.insert(String(sequence.dropLast()))
            case "[?25h", "[?7h": changes.remove(String(sequence.dropLast()))
            case "[22;2t": changes.insert("title")
            case "[23;2t": changes.remove("title")
            case let other where other.hasPrefix("[?") && other.hasSuffix("h"): changes.insert(String(other.dropLast()))
            case let other where other.hasPrefix("[?") && other.hasSuffix("l"): changes.remove(String(other.dropLast()))
            case "[m", "\\", "": break
            case let other where other.hasPrefix("]2;"): break
            default: if end != text.endIndex, text[end] == "\u{1B}" { changes.insert("unknown: \(sequence)") }
            }
        }
        return changes
    }

    private let modes = TerminalModes(hasMouse: true, title: "marvel")

    @Test func enteringWritesTheModes() {
        #expect(
            changes(modes.enter) == ["[?1049", "[?25", "[?7", "[?2004", "[?1000", "[?1006", "title"]
        )
        #expect(!changes(TerminalModes(hasMouse: false).enter).contains("[?1000"))
    }

    @Test func leavingUndoesWhateverPartWasEntered() {
        for count in 0...modes.enter.count {
            #expect(changes(modes.enter.prefix(count) + modes.leave).isEmpty, "\(count)")
        }
        #expect(changes(modes.enter + modes.leave + modes.leave).isEmpty)
    }

    @Test func leavingEndsAFrameThatWasCutShort() {
        var writer = FrameWriter(theme: Theme(depth: .full), pictures: .kitty(cell: PixelSize(width: 2, height: 4)))
        var screen = Screen(size: TerminalSize(columns: 9, rows: 2))
        screen.place(.rows([[PixelImage.red]]), id: 1, in: Rectangle(column: 0, row: 0, width: 2, height: 1))
        let frame = writer.frame(screen)
        for count in frame.indices {
            let left = changes(modes.enter + frame.prefix(count) + modes.leave).filter { !$0.hasPrefix("unknown") }
            #expect(left.isEmpty, "\(count)")
        }
    }

    @Test func aTitleIsOnlyText() {
        let text = String(decoding: TerminalModes(title: "a\u{1B}]0;b\u{7}").enter, as: UTF8.self)
        #expect(text.contains("]2;a\u{FFFD}]0;b\u{FFFD}\u{1B}\\"))
    }
}

struct TerminalCapabilitiesTests {
    private static let cell = PixelSize(width: 9, height: 18)

    @Test(
        arguments: [
            ([], .halfBlocks),
            ([.cellSize(cell)], .halfBlocks),
            ([.kittyGraphics(isSupported: true)], .kitty(cell: PixelSize(width: 10, height: 20))),
            ([.kittyGraphics(isSupported: true), .cellSize(cell)], .kitty(cell: cell)),
            ([.kittyGraphics(isSupported: false), .cellSize(cell)], .halfBlocks),
        ] as [([TerminalReply], PictureProtocol)]
    )
    func picturesAreShownInTheBestWay(_ replies: [TerminalReply], _ pictures: PictureProtocol) {
        var capabilities = TerminalCapabilities()
        for reply in replies { capabilities.note(reply) }
        #expect(capabilities.pictures == pictures)
    }
}
