import ChildProcesses
import Foundation

/// A program that is not of this project.
enum Tool {
    static let curl = "/usr/bin/curl"

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: Its absolute path.
    ///   - arguments: Its arguments.
    ///   - input: Its standard input, which stays open afterwards.
    /// - Returns: Its exit status, and what it has printed.
    /// - Throws: `ChildProcessError` if it cannot be started.
    static func run(
        _ program: String,
        _ arguments: [String],
        input: String? = nil
    ) async throws -> (status: Int32, output: String) {
        try await onThread {
            let output = try ReadablePipe()
            var ends: [Int32] = [-1, -1]
            if let input {
                guard pipe(&ends) == 0 else { throw ChildProcessError(call: "pipe", number: errno) }
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                _ = Array(input.utf8).withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
            }
            let process = try ChildProcess(
                program,
                arguments,
                input: input == nil ? nil : ends[0],
                output: output.writeEnd,
                errors: output.writeEnd
            )
            output.closeWriteEnd()
            var bytes: [UInt8] = []
            output.readToEnd { bytes += $0 }
            let status = process.wait()
            for end in ends where end >= 0 { close(end) }
            return (status, String(decoding: bytes, as: UTF8.self))
        }
    }
}
