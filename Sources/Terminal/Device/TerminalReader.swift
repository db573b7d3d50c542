internal import Dispatch
internal import Glibc

/// Reads only on request, so the terminal's buffer holds back fast input.
package final class TerminalReader: Sendable {
    package enum Reading: Sendable, Equatable {
        case bytes([UInt8])
        case nothing
        /// The terminal is closed, or the reading task was cancelled.
        case end
    }

    private let descriptor: Int32
    private let reading = DispatchQueue(label: "terminal input")
    private let wakeReader: Int32
    private let wakeWriter: Int32

    /// - Throws: `Terminal.Failure` if the process has no file descriptors left.
    package init(descriptor: Int32) throws {
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

    /// `nil` milliseconds is no timeout. Returns `end` when the task is cancelled. Only one caller at a time is
    /// allowed.
    package func read(within milliseconds: Int32?) async -> Reading {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reading.async { [self] in continuation.resume(returning: wait(milliseconds ?? -1)) }
            }
        } onCancel: {
            // Cancellation is permanent: nothing reads the byte from the pipe.
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
