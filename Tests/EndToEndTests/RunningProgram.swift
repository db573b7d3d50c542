import ChildProcesses
import Foundation
import Synchronization
import Testing

/// A program of this package that a test started, and its output.
final class RunningProgram: Sendable {
    private struct State {
        var text = ""
        var isEnded = false
        var waiters: [UUID: (wanted: String, continuation: CheckedContinuation<Bool, Never>)] = [:]
    }

    private let process: ChildProcess
    private let errors = Mutex(State())
    private let output = Mutex(Data())
    private let ended: AsyncStream<Int32>

    /// The folder of the package's programs: that of the program that runs the tests.
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// - Parameters:
    ///   - name: A program of this package, or the absolute path of another one.
    ///   - arguments: Its arguments.
    ///   - environment: Added to a small environment of the test's own.
    ///   - inherited: Descriptors that it has as 3, 4 and so on.
    /// - Throws: `ChildProcessError` when the program cannot be started.
    init(
        _ name: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        inherited: [Int32] = []
    ) throws {
        let path = name.hasPrefix("/") ? name : Self.folder.appending(path: name).path
        // `deploy/test` finds the rest by TMPDIR. The last is for a run under the thread sanitizer.
        let names = ["PATH", "TMPDIR", "LD_PRELOAD"]
        let passedOn = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
        let variables = passedOn.merging(environment) { _, given in given }
        let (out, err) = (try ReadablePipe(), try ReadablePipe())
        process = try ChildProcess(
            path,
            inherited.isEmpty ? Self.withoutOtherPorts(arguments) : arguments,
            environment: variables.map { "\($0.key)=\($0.value)" },
            output: out.writeEnd,
            errors: err.writeEnd,
            inherited: inherited
        )
        out.closeWriteEnd()
        err.closeWriteEnd()
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        ended = stream
        // All output is read before the end is reported.
        let outputEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            out.readToEnd { [self] bytes in output.withLock { $0.append(contentsOf: bytes) } }
            outputEnded.signal()
        }
        Thread.detachNewThread { [self] in
            err.readToEnd { [self] bytes in receivedErrors(bytes) }
            errorsEnded()
            outputEnded.wait()
            continuation.yield(process.wait())
            continuation.finish()
        }
    }

    /// Adds `off` for the ports that a server's arguments do not name, if they name one: servers of tests run side by side,
    /// and the default ports are there once.
    private static func withoutOtherPorts(_ arguments: [String]) -> [String] {
        let ports = ["--framed", "--http", "--operations"]
        let closed = ports.filter { !arguments.contains($0) }
        return closed.count == ports.count ? arguments : arguments + closed.flatMap { [$0, "off"] }
    }

    var errorText: String { errors.withLock { $0.text } }
    /// Whether it has closed standard error, which it does by ending.
    var hasEnded: Bool { errors.withLock { $0.isEnded } }
    var outputText: String { output.withLock { String(decoding: $0, as: UTF8.self) } }

    var processID: pid_t { process.id }

    func send(_ signal: Int32) {
        process.send(signal)
    }

    /// Waits for the program's end. To be called once.
    ///
    /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
    @discardableResult
    func waitForEnd() async -> Int32 {
        for await status in ended { return status }
        return -1
    }

    /// Asks it to stop, and waits for its end.
    ///
    /// - Returns: Its exit status, as `waitForEnd` does.
    @discardableResult
    func stop() async -> Int32 {
        send(SIGTERM)
        return await waitForEnd()
    }

    /// Waits until standard error holds `text`, which it has to before the program ends.
    func waitForError(containing text: String) async throws {
        let found = await hears(text)
        try #require(found, "the program did not say \(text); it said: \(errorText)")
    }

    /// Waits until standard error holds `text`, or the program has closed it, or the test's time is over.
    ///
    /// - Returns: Whether it was said.
    func hears(_ text: String) async -> Bool {
        let id = UUID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                errors.withLock { $0.waiters[id] = (text, continuation) }
                wake { _ in }
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: UUID) {
        errors.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: false)
    }

    private func receivedErrors(_ bytes: [UInt8]) {
        wake { $0.text += String(decoding: bytes, as: UTF8.self) }
    }

    private func errorsEnded() {
        wake { $0.isEnded = true }
    }

    /// Changes what is known of standard error, and resumes those whose wait is over by that.
    private func wake(_ change: (inout State) -> Void) {
        let ready = errors.withLock { state in
            change(&state)
            let (text, isEnded) = (state.text, state.isEnded)
            let ready = state.waiters.filter { isEnded || text.contains($0.value.wanted) }
            for id in ready.keys { state.waiters[id] = nil }
            return ready.values.map { ($0.continuation, text.contains($0.wanted)) }
        }
        for (continuation, found) in ready { continuation.resume(returning: found) }
    }
}

typealias Ended = (status: Int32, output: String, errors: String)

/// Expects a program to have ended well, and returns what it wrote.
@discardableResult
func succeeded(_ ended: Ended, sourceLocation: SourceLocation = #_sourceLocation) -> Ended {
    #expect(ended.status == 0, "\(ended.errors)", sourceLocation: sourceLocation)
    return ended
}

/// Runs `marvel-server` to its end.
func marvelServer(_ arguments: String...) async throws -> Ended {
    try await RunningProgram.run("marvel-server", arguments)
}

extension RunningProgram {
    /// The path of a program of this package.
    static func path(_ name: String) -> String { folder.appending(path: name).path }

    /// The address in the line that a server logs when it is ready.
    ///
    /// - Parameter endpoint: The name of the wire that is spoken there; nil is the first address.
    /// - Returns: The address.
    /// - Throws: If there is no such line.
    func listeningAddress(_ endpoint: String? = nil) async throws -> String {
        let mark = "\"message\":\"listening\"" + (endpoint.map { ",\"endpoint\":\"\($0)\"" } ?? "")
        try await waitForError(containing: mark)
        for line in errorText.split(separator: "\n") where line.contains(mark) {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object?["address"] as? String)
        }
        throw CocoaError(.fileReadCorruptFile)
    }

    /// Runs a program to its end.
    static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Ended {
        let program = try RunningProgram(name, arguments, environment: environment)
        let status = await program.waitForEnd()
        return (status, program.outputText, program.errorText)
    }
}

/// Whether strace(1) is there, which can make system calls fail.
let canTrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

extension RunningProgram {
    /// Starts a server whose system calls strace(1) changes. With `--seccomp-bpf` it sends no signal.
    static func traced(_ options: [String], store: String) throws -> RunningProgram {
        let server = [path("marvel-server"), "--framed", "127.0.0.1:0", "--store", store]
        return try RunningProgram("/usr/bin/strace", ["--follow-forks", "--output=/dev/null"] + options + server)
    }

    /// Ends a server under strace, which would leave its child running: by its own id, which the store's lock names.
    @discardableResult
    func endTraced(store: String, by signal: Int32) async throws -> Int32 {
        let lock = try String(contentsOfFile: store + ".lock", encoding: .utf8)
        kill(try #require(pid_t(lock.split(separator: " ")[1])), signal)
        return await waitForEnd()
    }
}
