internal import CTerminal
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import TerminalUI

/// The terminal that the program runs in, used as a screen.
///
/// It is put back on every way out: by `leave`, by a fault of the process (`CTerminal`), and, because its mode is only
/// changed on the other screen, a window that is closed needs nothing.
final class Terminal: Sendable {
    /// Why the terminal cannot be used.
    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ what: String, _ code: Int32) { description = "\(what): \(String(cString: strerror(code)))" }
    }

    private let output: FileOutput
    private let modes: TerminalModes
    /// Writing waits for a terminal that is slow, or stopped: on a thread that nobody else needs.
    private let writing = DispatchQueue(label: "terminal output")

    init(output: FileOutput, modes: TerminalModes) {
        self.output = output
        self.modes = modes
    }

    /// The window as it is now.
    var size: TerminalSize {
        var size = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return TerminalSize(columns: 80, rows: 24) }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Raw mode and the other screen.
    ///
    /// - Throws: `Failure` or `OutputError`; the terminal is as it was.
    func enter() throws {
        let leave = modes.leave
        let code = marvel_terminal_make_raw(output.descriptor, leave, leave.count)
        guard code == 0 else { throw Failure("The terminal cannot be used as a screen", code) }
        do {
            try output.write(modes.enter)
        } catch {
            self.leave()
            throw error
        }
    }

    /// Puts back what `enter` changed. Twice is as good as once.
    func leave() {
        // A terminal that takes no more has nothing to be put back.
        try? output.write(TerminalModes.forgetKittyPictures + modes.leave)
        marvel_terminal_restore()
    }

    /// Writes in the order of calls, and returns when it is out.
    ///
    /// - Throws: `OutputError`.
    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writing.async { [output] in continuation.resume(with: Result { try output.write(bytes) }) }
        }
    }

    /// Stops the program as Ctrl-Z does, and returns when it goes on.
    ///
    /// - Throws: As `enter`.
    func suspend() throws {
        leave()
        // The whole job: a shell that started it through others waits for all of them.
        kill(0, SIGTSTP)
        try enter()
    }
}

extension Terminal {
    /// Tells of each change of the window's size, until nobody listens any more. Changes that nobody has looked at yet
    /// are one.
    static func sizeChanges() -> AsyncStream<Void> {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        signal(SIGWINCH, SIG_IGN)
        // Of Dispatch's objects, which any thread may use; Swift is not told so.
        nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
        source.setEventHandler { change.yield() }
        change.onTermination = { _ in source.cancel() }
        source.resume()
        return changes
    }
}
