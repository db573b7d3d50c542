internal import Foundation
internal import Synchronization

/// A writer of whole lines to a descriptor, on a thread of its own behind a bounded queue.
///
/// A reader that stalls holds up that thread and nobody else. When the queue is full, further lines are dropped and
/// counted; the next line that is written says how many.
package final class LineWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// Lines that found the queue full since it was last taken: they came after all that is in `waiting`.
        var dropped = 0
        var hasThread = false
        /// The thread has work: it asks for more before it sleeps.
        var isAwake = false
        /// Signaled when everything is written.
        var flushes: [DispatchSemaphore] = []
    }

    private let descriptor: CInt
    private let capacity: Int
    private let notice: @Sendable (_ dropped: Int) -> [UInt8]
    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - descriptor: Stays open for as long as the process lives.
    ///   - capacity: Bytes that wait at most; a line that is longer than that waits alone.
    ///   - notice: Makes the line that says how many lines were dropped.
    package init(descriptor: CInt, capacity: Int = 1 << 20, notice: @escaping @Sendable (_ dropped: Int) -> [UInt8]) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.notice = notice
    }

    /// Puts a line, with its line break, in the queue. Never waits for the reader.
    package func write(_ line: [UInt8]) {
        let (needsThread, isFirst) = state.withLock { state in
            guard state.waiting.isEmpty || state.waiting.count + line.count <= capacity else {
                state.dropped += 1
                return (false, false)
            }
            state.waiting += line
            defer { (state.hasThread, state.isAwake) = (true, true) }
            return (!state.hasThread, !state.isAwake)
        }
        if needsThread { Thread.detachNewThread { [self] in writeForever() } }
        if isFirst { work.signal() }
    }

    /// Waits until everything is written, or the time is over.
    ///
    /// - Parameter limit: The time that a reader gets which has stalled.
    /// - Returns: Whether everything is written.
    @discardableResult
    package func flush(within limit: Duration = .seconds(1)) -> Bool {
        let flushed = DispatchSemaphore(value: 0)
        let isWritten = state.withLock { state in
            if state.isAwake { state.flushes.append(flushed) }
            return !state.isAwake
        }
        return isWritten || flushed.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    private func writeForever() {
        while true {
            work.wait()
            while let (lines, dropped) = take() {
                write(all: lines)
                if dropped > 0 { write(all: notice(dropped)) }
            }
        }
    }

    /// - Returns: What waits; nil if nothing does: the thread may sleep.
    private func take() -> (lines: [UInt8], dropped: Int)? {
        let (taken, flushed) = state.withLock { state -> ((lines: [UInt8], dropped: Int)?, [DispatchSemaphore]) in
            guard state.waiting.isEmpty, state.dropped == 0 else {
                defer { (state.waiting, state.dropped) = ([], 0) }
                return ((state.waiting, state.dropped), [])
            }
            state.isAwake = false
            defer { state.flushes = [] }
            return (nil, state.flushes)
        }
        for semaphore in flushed { semaphore.signal() }
        return taken
    }

    /// Writes as much as there is a reader for: a log that cannot be written stops nothing.
    private func write(all bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN {
                waitForRoom()
            } else if count < 0, errno != EINTR {
                return
            }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// A descriptor shared with another program may have been made non-blocking by it.
    private func waitForRoom() {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&polled, 1, -1)
    }
}
