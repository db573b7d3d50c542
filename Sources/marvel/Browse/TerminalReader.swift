internal import Dispatch
internal import Glibc
internal import ProgramSupport

/// Reads what a terminal sends, on a thread of its own and only when somebody waits for it: who types faster than the
/// screen follows is held up by the terminal's own buffer.
final class TerminalReader: Sendable {
    enum Reading: Sendable, Equatable {
        case bytes([UInt8])
        /// Nothing came in the time allowed.
        case nothing
        /// There is no terminal any more, or nobody reads any more.
        case end
    }

    private let descriptor: Int32
    private let reading = DispatchQueue(label: "terminal input")
    /// A pipe: closing its one end wakes who waits for its other.
    private let wakeReader: Int32
    private let wakeWriter: Int32

    /// - Throws: `Terminal.Failure` if the process has no file descriptors left.
    init(descriptor: Int32) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Terminal.Failure("The terminal cannot be read", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.descriptor = descriptor
        (wakeReader, wakeWriter) = (ends[0], ends[1])
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// What has come, as soon as there is something. One caller at a time.
    ///
    /// - Parameter milliseconds: How long to wait; nil waits as long as it takes.
    /// - Returns: `end` also when the task is cancelled.
    func read(within milliseconds: Int32?) async -> Reading {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reading.async { [self] in continuation.resume(returning: wait(milliseconds ?? -1)) }
            }
        } onCancel: {
            // Once cancelled, for good.
            _ = [UInt8](repeating: 0, count: 1).withUnsafeBytes { Glibc.write(wakeWriter, $0.baseAddress, 1) }
        }
    }

    private func wait(_ milliseconds: Int32) -> Reading {
        var requests = [
            pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&requests, 2, milliseconds)
            if count == 0 { return .nothing }
            if count < 0, errno == EINTR { continue }
            guard count > 0, requests[0].revents == 0 else { return .end }
            return bytes()
        }
    }

    private func bytes() -> Reading {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count < 0, errno == EINTR { continue }
            return .end
        }
    }
}
