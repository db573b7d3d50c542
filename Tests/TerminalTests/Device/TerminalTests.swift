import ChildProcesses
import Glibc
import TerminalUI
import Testing

@testable import Terminal

/// Only one terminal of a process can be raw, so these run one after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) enum RawTerminalTests {}

extension RawTerminalTests {
    struct TerminalTests {
        private let window: PseudoTerminal
        private let modes = TerminalModes(title: "a title")
        private let terminal: Terminal

        init() throws {
            window = try PseudoTerminal(columns: 100, rows: 30)
            terminal = Terminal(output: FileOutput(descriptor: window.terminal), modes: modes)
        }

        /// Returns the output of the program up to its end.
        private func written() async throws -> String {
            let (window, end) = (window, String(decoding: modes.leave, as: UTF8.self))
            return try await onThread { window.read(until: end) }
        }

        private func text(_ bytes: [UInt8]...) -> String { String(decoding: bytes.joined(), as: UTF8.self) }

        private var queries: [UInt8] { TerminalCapabilities.queries }

        @Test func theTerminalIsRawUntilItIsLeft() async throws {
            #expect(!window.isRaw)
            try await terminal.enter()
            #expect(window.isRaw)
            await terminal.leave()
            #expect(!window.isRaw)
            let expected = text(modes.enter, queries, TerminalModes.deleteKittyPictures, modes.leave)
            #expect(try await written() == expected)
        }

        @Test func onlyFramesBetweenEnterAndLeaveAreWritten() async throws {
            try await terminal.write(Array("early".utf8))
            try await terminal.enter()
            try await terminal.write(Array("first\r\n".utf8))
            try await terminal.write(Array("second".utf8))
            await terminal.leave()
            try await terminal.write(Array("late".utf8))
            await terminal.leave()
            let seen = try await written()
            // A raw terminal leaves line breaks as they are.
            #expect(seen.contains("first\r\nsecond\u{1B}"))
            #expect(!seen.contains("early"))
            #expect(!seen.contains("late"))
        }

        @Test func aScreenThatIsEnteredAgainKeepsTheFirstTitle() async throws {
            try await terminal.reenter()
            try await terminal.enter()
            try await terminal.reenter()
            await terminal.leave()
            let again = text(modes.enter, queries, TerminalModes(title: nil).enter)
            #expect(try await written().hasPrefix(again))
        }

        @Test func aTerminalThatIsLeftCanBeEnteredAgain() async throws {
            for _ in 0..<2 {
                try await terminal.enter()
                await terminal.leave()
                #expect(try await written().hasPrefix(text(modes.enter)))
            }
        }

        @Test func aSecondTerminalIsRefused() async throws {
            let other = Terminal(output: FileOutput(descriptor: try PseudoTerminal().terminal), modes: modes)
            try await terminal.enter()
            await #expect(throws: Terminal.Failure.self) { try await other.enter() }
            await other.leave()
            #expect(window.isRaw)
            await terminal.leave()
        }

        @Test func aTerminalIsRestoredAtOnceForAProcessThatEnds() async throws {
            try await terminal.enter()
            Terminal.abandon()
            #expect(!window.isRaw)
            await terminal.leave()
            #expect(try await written().hasSuffix(text(modes.leave)))
        }

        @Test func nothingWaitsLongForATerminalThatReadsNothing() async throws {
            try await terminal.enter()
            let writing = Task { [terminal] in
                try await terminal.write([UInt8](repeating: UInt8(ascii: "x"), count: 100_000))
            }
            writing.cancel()
            try await writing.value
            Terminal.abandon()
            #expect(!window.isRaw)
            // It reads again.
            async let left: Void = terminal.leave()
            #expect(try await written().hasSuffix(text(modes.leave)))
            await left
        }

        @Test func aPipeIsRefused() async throws {
            let pipe = try ReadablePipe()
            defer {
                pipe.closeReadEnd()
                pipe.closeWriteEnd()
            }
            let terminal = Terminal(output: FileOutput(descriptor: pipe.writeEnd), modes: modes)
            await #expect {
                try await terminal.enter()
            } throws: { error in
                "\(error)" == "The terminal cannot be used as a screen: Inappropriate ioctl for device"
            }
            #expect(terminal.size == TerminalSize(columns: 80, rows: 24))
        }

        @Test func theSizeIsTheWindows() {
            #expect(terminal.size == TerminalSize(columns: 100, rows: 30))
        }
    }
}

extension RawTerminalTests {
    struct TerminalDisplayTests {
        private let window: PseudoTerminal
        private let terminal: Terminal
        private let modes = TerminalModes()

        init() throws {
            window = try PseudoTerminal(columns: 20, rows: 2)
            terminal = Terminal(output: FileOutput(descriptor: window.terminal), modes: modes)
        }

        /// Makes a display show things, and returns all that the terminal got.
        private func frames(
            background: Theme.Background? = nil,
            _ body: (TerminalDisplay) async throws -> Void
        ) async throws -> String {
            let settings = TerminalDisplay.Settings(depth: .full, background: background, showsPictures: false)
            try await terminal.enter()
            try await body(TerminalDisplay(terminal, settings: settings))
            await terminal.leave()
            let (window, end) = (window, String(decoding: modes.leave, as: UTF8.self))
            return try await onThread { window.read(until: end) }
        }

        private func screen(_ text: String) -> Screen {
            var screen = Screen(size: TerminalSize(columns: 20, rows: 2))
            screen.put(text, at: Position(column: 0, row: 0))
            return screen
        }

        @Test func aScreenIsDrawnOnceAndThenOnlyItsChanges() async throws {
            let seen = try await frames { display in
                try await display.show(screen("quickly"))
                try await display.show(screen("quickly"))
                try await display.show(screen("quietly"))
            }
            #expect(seen.ranges(of: "quickly").count == 1)
            #expect(!seen.contains("quietly"))
        }

        @Test func aRedrawRepeatsTheWholeScreen() async throws {
            let seen = try await frames { display in
                try await display.redraw()
                try await display.show(screen("quickly"))
                try await display.redraw()
            }
            #expect(seen.ranges(of: "quickly").count == 2)
        }

        @Test func afterAResizeOnlyTheNextFrameIsDrawn() async throws {
            let seen = try await frames { display in
                try await display.show(Screen(size: TerminalSize(columns: 30, rows: 2)))
                try await display.redraw()
                try await display.show(screen("quickly"))
            }
            #expect(seen.ranges(of: "\u{1B}[2J").count == 2)
        }

        @Test func aNewCapabilityDrawsTheScreenAgain() async throws {
            let seen = try await frames { display in
                try await display.show(screen("quickly"))
                try await display.note(.background(.light))
                // Nothing that shows follows from these.
                try await display.note(.background(.light))
                try await display.note(.kittyGraphics(isSupported: false))
            }
            #expect(seen.ranges(of: "quickly").count == 2)
        }
    }
}
