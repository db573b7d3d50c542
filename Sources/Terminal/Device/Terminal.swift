internal import CMarvelSystem
internal import Dispatch
internal import Glibc
internal import Synchronization
package import TerminalUI

/// A separate thread enters, leaves and writes frames in order, and may wait for a slow terminal. After leaving, frames
/// are dropped.
package final class Terminal: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ what: String, _ code: Int32) { description = "\(what): \(String(cString: strerror(code)))" }
    }

    /// The longest wait for a blocked terminal before the program ends.
    private static let leaveTimeout = DispatchTimeInterval.seconds(2)

    private let output: FileOutput
    private let modes: TerminalModes
    private let queue = DispatchQueue(label: "terminal output")
    private let isEntered = Mutex(false)

    package init(output: FileOutput, modes: TerminalModes) {
        self.output = output
        self.modes = modes
    }

    package var size: TerminalSize {
        var size = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return TerminalSize(columns: 80, rows: 24) }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Queries the terminal's capabilities too. After an error the terminal is restored.
    package func enter() async throws {
        try await onQueue { try self.enterNow() }
    }

    /// Once. The wait for a blocked terminal has a timeout.
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

    /// Keeps the order of calls. Returns when the bytes are written, or when the task is cancelled.
    package func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await onQueue { [self] in
            if isEntered.withLock(\.self) { try output.write(bytes) }
        }
    }

    /// Call it after SIGSTOP and SIGCONT.
    package func reenter() async throws {
        try await onQueue { [self] in
            guard isEntered.withLock(\.self) else { return }
            marvel_terminal_renew()
            // The first `enter` saved the window's original title.
            var modes = modes
            modes.title = nil
            try output.write(modes.enter)
        }
    }

    /// After a cancellation it does not wait: a terminal that reads nothing must not delay the program's end.
    private func onQueue(_ work: @escaping @Sendable () throws -> Void) async throws {
        let (ends, end) = AsyncThrowingStream.makeStream(of: Never.self)
        queue.async {
            do {
                try work()
                end.finish()
            } catch {
                end.finish(throwing: error)
            }
        }
        for try await _ in ends {}
    }

    /// Restores the terminal for a process that ends immediately. Any thread may call it, at any time. It waits at most
    /// 0.2 s.
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
