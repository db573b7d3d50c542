import ChildProcesses
import Foundation

/// A program that a test runs, which is not of this project.
enum Program {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let repository = folder.appending(path: "../..").standardizedFileURL

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: Its absolute path.
    ///   - arguments: Its arguments.
    ///   - environment: Added to the test's `PATH`.
    /// - Returns: Its exit status, and the lines that it has printed.
    /// - Throws: `ChildProcessError` if it cannot be started.
    static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (status: Int32, lines: [String]) {
        let path = ProcessInfo.processInfo.environment.filter { $0.key == "PATH" }
        let variables = path.merging(environment) { _, given in given }.map { "\($0.key)=\($0.value)" }
        return try await onThread {
            let output = try ReadablePipe()
            let process = try ChildProcess(
                program,
                arguments,
                environment: variables,
                output: output.writeEnd,
                errors: output.writeEnd
            )
            output.closeWriteEnd()
            var bytes: [UInt8] = []
            output.readToEnd { bytes += $0 }
            return (process.wait(), String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
        }
    }
}
