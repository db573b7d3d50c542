internal import CMarvelSystem
internal import Dispatch
internal import Glibc
internal import Synchronization
package import TerminalUI

/// The terminal of the program, used as a full screen.
///
/// Entering, leaving and all frames are executed in order on a thread of their own, which may wait for a slow or
/// stopped terminal. Frames that come while the screen is left are dropped.
package final class Terminal: Sendable {
    /// The reason why the terminal cannot be used.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ what: String, _ code: Int32) { description = "\(what): \(String(cString: strerror(code)))" }
    }

    /// The time that the program waits for a blocked terminal before it ends.
    private static let leaveTimeout = DispatchTimeInterval.seconds(2)

    private let output: FileOutput
    private let modes: TerminalModes
    private let queue = DispatchQueue(label: "terminal output")
    private let isEntered = Mutex(false)

    package init(output: FileOutput, modes: TerminalModes) {
        self.output = output
        self.modes = modes
    }

    /// The current size of the window.
    package var size: TerminalSize {
        var size = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return TerminalSize(columns: 80, rows: 24) }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Enters raw mode and the alternate screen, and sends the queries for the terminal's capabilities.
    ///
    /// - Throws: `Failure` or `OutputError`; then the terminal is restored.
    package func enter() async throws {
        try await onQueue { try self.enterNow() }
    }

    /// Restores what `enter` changed, once. The wait for a blocked terminal has a timeout.
    package func leave() async {
        let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let end: @Sendable () -> Void = { waiter.withLock { $0.take() }?.resume() }
        await withCheckedContinuation { continuation in
            waiter.withLock { $0 = continuation }
            queue.async { [self] in
                leaveNow()
                end()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Terminal.leaveTimeout, execute: end)
        }
    }

    /// Writes the bytes in the order of calls, and returns when they are written.
    ///
    /// - Throws: `OutputError`.
    package func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await onQueue { [self] in
            if isEntered.withLock(\.self) { try output.write(bytes) }
        }
    }

    /// Enters the screen again after the process was stopped and continued by other programs (SIGSTOP, SIGCONT).
    ///
    /// - Throws: `OutputError`.
    package func reenter() async throws {
        try await onQueue { [self] in
            guard isEntered.withLock(\.self) else { return }
            marvel_terminal_renew()
            // The first `enter` has saved the window's original title already.
            var modes = modes
            modes.title = nil
            try output.write(modes.enter)
        }
    }

    private func onQueue(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Restores the terminal that is in use, for a process that ends at once. Any thread may call it, at any time.
    package static func abandon() { marvel_terminal_abandon() }

    private func enterNow() throws {
        let leave = modes.leave
        let code = marvel_terminal_make_raw(output.descriptor, leave, leave.count)
        guard code == 0 else { throw Failure("The terminal cannot be used as a screen", code) }
        isEntered.withLock { $0 = true }
        do {
            try output.write(modes.enter + TerminalCapabilities.queries)
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
        // A terminal that fails needs no restore.
        try? output.write(TerminalModes.deleteKittyPictures + modes.leave)
        marvel_terminal_restore()
    }
}
