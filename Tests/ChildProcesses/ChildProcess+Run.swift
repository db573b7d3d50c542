internal import Foundation

extension ChildProcess {
    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: Its absolute path.
    ///   - arguments: Its arguments.
    ///   - environment: Added to the test's own.
    ///   - input: Its standard input, which stays open until it ends: a few lines.
    /// - Returns: Its exit status, and what it wrote.
    /// - Throws: `ChildProcessError` if it cannot be started.
    package static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String? = nil
    ) async throws -> (status: Int32, output: String, errors: String) {
        let (feed, output, errors) = (try ReadablePipe(), try ReadablePipe(), try ReadablePipe())
        defer {
            feed.closeReadEnd()
            feed.closeWriteEnd()
        }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, given in given }
        let process = try ChildProcess(
            program,
            arguments,
            environment: variables.map { "\($0.key)=\($0.value)" },
            input: input == nil ? nil : feed.readDescriptor,
            output: output.writeEnd,
            errors: errors.writeEnd
        )
        output.closeWriteEnd()
        errors.closeWriteEnd()
        if let input { _ = write(feed.writeEnd, input, input.utf8.count) }
        async let errorText = onThread { errors.text() }
        let text = try await onThread { output.text() }
        return (try await onThread { process.wait() }, text, try await errorText)
    }
}

extension ReadablePipe {
    /// Reads to the end. Blocks.
    package func text() -> String {
        var bytes: [UInt8] = []
        readToEnd { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
