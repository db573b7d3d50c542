internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import MarvelDomain
internal import Synchronization
internal import Terminal

package enum StandardError {
    private static let writer: LineWriter = {
        // The last lines of a program are the most important ones for its operator.
        atexit { StandardError.flush() }
        return LineWriter(descriptor: STDERR_FILENO) { dropped in droppedNotice(dropped) }
    }()

    /// Does not wait for the reader.
    package static func write(_ line: [UInt8]) { writer.write(line) }

    /// Waits at most a second. It runs at every normal exit. Call it before any other exit.
    package static func flush() { writer.flush() }

    private static func droppedNotice(_ dropped: Int) -> [UInt8] {
        JSONWriter.line { json in
            json.field("message", "log lines were dropped: standard error was not read fast enough")
            json.field("lines", dropped)
            json.field("level", Logger.Level.warning.rawValue)
            json.field("logger", ProcessInfo.processInfo.processName)
            json.field("time", Date().logText)
        }
    }
}

/// A writer of complete lines, with a bounded queue and a thread of its own. A reader that stalls blocks only that
/// thread. When the queue is full, lines are dropped and counted.
package final class LineWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// The count since the queue was last emptied. These lines came after those in `waiting`.
        var dropped = 0
        var hasThread = false
        var isAwake = false
        var flushes: [DispatchSemaphore] = []
    }

    private let output: FileOutput
    private let capacity: Int
    private let notice: @Sendable (_ dropped: Int) -> [UInt8]
    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    /// `descriptor` stays open as long as the process runs. A line above `capacity` (in bytes) is accepted only if the
    /// queue is empty. `notice` makes the line that reports the dropped lines.
    package init(descriptor: CInt, capacity: Int = 1 << 20, notice: @escaping @Sendable (_ dropped: Int) -> [UInt8]) {
        output = FileOutput(descriptor: descriptor)
        self.capacity = capacity
        self.notice = notice
    }

    /// Never waits for the reader. The line includes its line break.
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
        if needsThread { DispatchQueue(label: "log").async { [self] in writeForever() } }
        if isFirst { work.signal() }
    }

    /// Returns whether everything was written in time.
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
                // A failing log must not stop the program.
                try? output.write(lines)
                if dropped > 0 { try? output.write(notice(dropped)) }
            }
        }
    }

    /// Nil if the thread may sleep.
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
}
