internal import CTerminal
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import TerminalUI

/// The terminal that the program runs in, used as a screen.
///
/// Entering, leaving and every frame happen one behind the other on a thread of their own, which may wait for a terminal
/// that is slow, or stopped. What is to be written while the screen is left is not.
final class Terminal: Sendable {
    /// Why the terminal cannot be used.
    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ what: String, _ code: Int32) { description = "\(what): \(String(cString: strerror(code)))" }
    }

    /// For how long the program stays for a terminal that takes nothing.
    private static let patience = DispatchTimeInterval.seconds(2)
    /// A job without a shell to bring it back is not stopped at all.
    private static let stopTime = Duration.milliseconds(500)

    private let output: FileOutput
    private let modes: TerminalModes
    private let queue = DispatchQueue(label: "terminal output")
    private let isEntered = Mutex(false)

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

    /// Raw mode and the other screen, and the questions that a terminal answers.
    ///
    /// - Throws: `Failure` or `OutputError`; the terminal is as it was.
    func enter() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in continuation.resume(with: Result { try enterNow() }) }
        }
    }

    /// Puts back what `enter` changed, unless that is done. Does not wait for ever for a terminal that takes nothing.
    func leave() async {
        let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let end: @Sendable () -> Void = { waiter.withLock { $0.take() }?.resume() }
        await withCheckedContinuation { continuation in
            waiter.withLock { $0 = continuation }
            queue.async { [self] in
                leaveNow()
                end()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Terminal.patience, execute: end)
        }
    }

    /// Writes in the order of calls, and returns when it is out.
    ///
    /// - Throws: `OutputError`.
    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                guard isEntered.withLock(\.self) else { return continuation.resume() }
                continuation.resume(with: Result { try output.write(bytes) })
            }
        }
    }

    /// Stops the program until its shell brings it back.
    ///
    /// - Throws: As `enter`.
    func stop() async throws {
        await leave()
        let continued = Signals.stream(of: SIGCONT)
        signal(SIGTSTP, SIG_DFL)
        kill(getpid(), SIGTSTP)
        await withTaskGroup { group in
            group.addTask { for await _ in continued { return } }
            group.addTask { try? await Task.sleep(for: Terminal.stopTime) }
            await group.next()
            group.cancelAll()
        }
        signal(SIGTSTP, SIG_IGN)
        try await enter()
    }

    /// Takes the screen again after the process was stopped and continued by others (SIGSTOP, SIGCONT).
    ///
    /// - Throws: `OutputError`.
    func renew() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                guard isEntered.withLock(\.self) else { return continuation.resume() }
                marvel_terminal_renew()
                // The window's title of before was kept by the first one.
                var modes = modes
                modes.title = nil
                continuation.resume(with: Result { try output.write(modes.enter) })
            }
        }
    }

    private func enterNow() throws {
        let leave = modes.leave
        let code = marvel_terminal_make_raw(output.descriptor, leave, leave.count)
        guard code == 0 else { throw Failure("The terminal cannot be used as a screen", code) }
        isEntered.withLock { $0 = true }
        do {
            try output.write(modes.enter + TerminalQuery.all.flatMap(\.bytes))
        } catch {
            leaveNow()
            throw error
        }
    }

    private func leaveNow() {
        let wasEntered = isEntered.withLock { isEntered in
            defer { isEntered = false }
            return isEntered
        }
        guard wasEntered else { return }
        // A terminal that takes no more has nothing to be put back.
        try? output.write(TerminalModes.deleteKittyPictures + modes.leave)
        marvel_terminal_restore()
    }
}
