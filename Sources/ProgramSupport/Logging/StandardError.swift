internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import MarvelDomain

package enum StandardError {
    private static let writer: LineWriter = {
        // The last lines of a program are the most important ones for its operator.
        atexit { StandardError.flush() }
        return LineWriter(descriptor: STDERR_FILENO) { dropped in droppedNotice(dropped) }
    }()

    /// Does not wait for the reader: a thread writes the lines from a bounded queue.
    package static func write(_ line: [UInt8]) { writer.write(line) }

    /// Waits at most a second until everything is written: a stalled reader cannot prevent the program's end. It runs
    /// at every normal exit. Call it before any other exit.
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
