internal import Foundation
internal import Logging

/// The stream that logs go to.
package enum StandardError {
    private static let writer: LineWriter = {
        // What a program says last is what its operator needs most.
        atexit { StandardError.flush() }
        return LineWriter(descriptor: STDERR_FILENO) { dropped in droppedNotice(dropped) }
    }()

    /// Writes a line without waiting for its reader: behind a bounded queue, on a thread of its own.
    package static func write(_ line: [UInt8]) { writer.write(line) }

    /// Waits until everything is written, for a second at most: a reader that stalled does not keep a program from
    /// ending. Done at every exit; to be done before any other end.
    package static func flush() { writer.flush() }

    private static func droppedNotice(_ dropped: Int) -> [UInt8] {
        var line = JSONLine()
        line.append("message", "log lines were dropped: standard error was not read fast enough")
        line.append("lines", .stringConvertible(dropped))
        line.append("level", .string(Logger.Level.warning.rawValue))
        line.append("logger", .string(ProcessInfo.processInfo.processName))
        line.append("time", .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))))
        return line.finish()
    }
}
