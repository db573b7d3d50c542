internal import Foundation
package import Glibc

/// A program that was started here. It is killed, at the latest, when the run ends.
package final class SupervisedProcess: Sendable {
    private let process = Process()
    private let cleaner: Cleaner

    /// - Parameters:
    ///   - command: The program's path, or its name, and its arguments.
    ///   - environment: What it finds in its environment beside this program's own.
    ///   - output: Where all that it writes goes.
    ///   - cleaner: Ends it with the run.
    /// - Throws: If it cannot be started.
    package init(_ command: [String], environment: [String: String] = [:], output: String, cleaner: Cleaner) throws {
        self.cleaner = cleaner
        try Data().write(to: URL(fileURLWithPath: output))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        // The process has its own. One left open for each start would use up the descriptors of a long run.
        defer { try? handle.close() }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // What this program ignores, to clean up first, a child would ignore too.
        process.arguments = ["--default-signal=INT,TERM"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        cleaner.started(process.processIdentifier)
    }

    /// `env` becomes the program, so it is the program's own.
    package var processID: pid_t { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }
    /// 0 if it ended well.
    package var status: Int32 { process.terminationStatus }

    /// The process that it has started itself, if any.
    package var grandchild: pid_t? {
        let children = try? String(contentsOfFile: "/proc/\(processID)/task/\(processID)/children", encoding: .utf8)
        return children?.split(separator: " ").first.flatMap { pid_t($0) }
    }

    package func send(_ signal: Int32) { kill(processID, signal) }

    package func waitForEnd() async throws {
        try await wait(for: "the end of process \(processID)") { !process.isRunning }
        cleaner.ended(processID)
    }
}
