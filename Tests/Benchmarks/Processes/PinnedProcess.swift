import Foundation

/// A program that was started here and is held to one core. It ends, at the latest, when this is let go.
final class PinnedProcess {
    private let process = Process()

    /// - Parameters:
    ///   - core: Which core it may run on; nil: any.
    ///   - command: The program's path and its arguments.
    ///   - output: Where its output goes.
    ///   - errors: Where its errors go.
    /// - Throws: If it cannot be started.
    init(
        core: Int?,
        _ command: [String],
        output: FileHandle,
        errors: FileHandle = .standardError
    ) throws {
        // Each of these becomes the next, so the process id is the program's. It gets SIGTERM if this process is killed.
        let pinning = ["setpriv", "--pdeathsig", "TERM"] + (core.map { ["taskset", "--cpu-list", "\($0)"] } ?? [])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = pinning + command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit { stop() }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// Runs a program to its end.
    ///
    /// - Returns: What it wrote.
    /// - Throws: If it cannot be started, or ends with an error.
    static func output(core: Int?, _ command: [String]) throws -> Data {
        try outputs(core: core, [command])[0]
    }

    /// Runs programs side by side to their ends.
    ///
    /// - Returns: What each wrote.
    /// - Throws: If one cannot be started, or ends with an error.
    static func outputs(core: Int?, _ commands: [[String]]) throws -> [Data] {
        let programs = try commands.map { command in
            let pipe = Pipe()
            let program = try PinnedProcess(core: core, command, output: pipe.fileHandleForWriting)
            // Else this program itself would keep the pipe from ending.
            try pipe.fileHandleForWriting.close()
            return (program, pipe)
        }
        return try zip(programs, commands).map { running, command in
            let (program, pipe) = running
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            program.process.waitUntilExit()
            guard program.process.terminationStatus == 0 else {
                throw BenchmarkError("\(command.joined(separator: " ")) failed")
            }
            return output
        }
    }
}
