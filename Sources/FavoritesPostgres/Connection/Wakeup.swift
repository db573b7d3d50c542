internal import CPostgres
internal import Glibc

/// A call that ends the waiting of a thread: a descriptor that poll(2) can wait for beside a socket.
final class Wakeup: Sendable {
    private let descriptor: Int32

    /// - Throws: `.failed` if the process has no descriptor left.
    init() throws(FavoritesDatabaseError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw FavoritesDatabaseError(code: .failed, message: "no event descriptor: \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// Ends the wait of the thread that waits now, or next.
    func wake() {
        var one: UInt64 = 1
        // It fails only if the counter is full, and then the thread is awake.
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Waits for `wake`, or until a socket can be read.
    ///
    /// - Returns: Whether the socket can be read.
    func wait(beside socket: Int32? = nil, timeout: Duration?) -> Bool {
        // poll(2) ignores a negative descriptor.
        var events = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&events, 2, timeout?.pollTimeout ?? -1) > 0 else { return false }
        if events[0].revents != 0 {
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        }
        return events[1].revents != 0
    }
}
