internal import Glibc
internal import Synchronization

/// A terminal without a window: what a program writes to it is read here, and what is written here are its keys. Its
/// calls block: use `onThread`.
package final class PseudoTerminal: Sendable {
    /// TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, which Swift's Glibc does not have.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    private let controller: Int32
    /// The end that the program gets.
    package let terminal: Int32
    /// The output after the text that the last call waited for.
    private let unread = Mutex<[UInt8]>([])

    /// - Throws: `ChildProcessError` if the system has no terminal left.
    package init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard controller >= 0, ioctl(controller, PseudoTerminal.setLock, &lock) == 0,
            ioctl(controller, PseudoTerminal.getNumber, &number) == 0
        else { throw ChildProcessError(call: "open", number: errno) }
        terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard terminal >= 0, ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else {
            throw ChildProcessError(call: "open", number: errno)
        }
    }

    deinit {
        close(controller)
        close(terminal)
    }

    /// Whether keys reach the program at once, unchanged and without an echo.
    package var isRaw: Bool {
        var mode = termios()
        return tcgetattr(terminal, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0
    }

    /// Reads until a text has come, for at most two minutes: a screen that is drawn again and again never falls silent.
    /// The output after the text remains for the next call.
    ///
    /// - Returns: What came, the text included.
    @discardableResult
    package func read(until text: String) -> String {
        unread.withLock { unread in
            var chunk = [UInt8](repeating: 0, count: 4_096)
            var end = PseudoTerminal.end(of: text, in: unread)
            let deadline = ContinuousClock.now + .seconds(120)
            while end == nil, hasInput(until: deadline) {
                let count = Glibc.read(controller, &chunk, chunk.count)
                guard count > 0 else { break }
                unread += chunk[..<count]
                end = PseudoTerminal.end(of: text, in: unread)
            }
            let seen = unread.prefix(end ?? unread.count)
            unread.removeFirst(seen.count)
            return String(decoding: seen, as: UTF8.self)
        }
    }

    private func hasInput(until deadline: ContinuousClock.Instant) -> Bool {
        let left = max(.zero, deadline - .now)
        var input = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, Int32(left / .milliseconds(1))) == 1
    }

    /// The position behind a text; nil if it is not there.
    private static func end(of text: String, in bytes: [UInt8]) -> Int? {
        bytes.firstRange(of: Array(text.utf8))?.upperBound
    }

    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(controller, bytes, bytes.count)
    }
}
