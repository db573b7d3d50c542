import ChildProcesses
import Foundation
import Testing

/// A real terminal with a program in it: a window of tmux, which no person looks at.
///
/// The window runs a shell that reports the terminal's mode before and after the program, and the program's status.
final class TerminalWindow {
    private static let tmux = "/usr/bin/tmux"

    private let socket: String
    private let statusFile: String

    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - folder: For what belongs to the window.
    ///   - environment: Added to what a terminal needs.
    /// - Throws: If tmux does not start.
    init(
        _ command: [String],
        folder: TemporaryFolder,
        environment: [String: String] = [:]
    ) async throws {
        // Another for each window: a server of tmux that was told to end still accepts the next window's connection.
        socket = folder.path("tmux-\(UInt32.random(in: .min ... .max))")
        statusFile = folder.path("status")
        let variables = ["LC_ALL": "C.UTF-8", "HOME": folder.url.path]
        let settings = variables.merging(environment) { _, given in given }.map { "export \($0.key)='\($0.value)';" }
        let program = command.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(settings.joined(separator: " ")) \
            stty -g > \(statusFile).before; \(program) 2> \(statusFile).errors; echo $? > \(statusFile).number; \
            stty -g > \(statusFile).after; mv \(statusFile).number \(statusFile); echo the shell is back; exec cat
            """
        try await run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", script)
    }

    /// Closes the window, and with it whatever runs in it.
    func close() async throws { try await run("kill-server") }

    /// Types letters.
    func type(_ text: String) async throws { try await run("send-keys", "-l", "--", text) }

    /// Presses a key by its name in tmux: `Enter`, `Tab`, `C-c`.
    func press(_ key: String) async throws { try await run("send-keys", key) }

    /// Returns the text of the window, line by line.
    func text() async throws -> String { try await run("capture-pane", "-p") }

    /// Waits until the window is as a test needs it. A terminal tells nobody that it has changed: it is looked at, often
    /// and for half a minute at most.
    @discardableResult
    func wait(
        for what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        until isThere: (String) -> Bool
    ) async throws -> String {
        var text = ""
        for _ in 0..<600 {
            text = try await self.text()
            if isThere(text) { return text }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("\(what) did not come; the window shows:\n\(text)", sourceLocation: sourceLocation)
        throw CancellationError()
    }

    @discardableResult
    func wait(for wanted: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        try await wait(for: "“\(wanted)”", sourceLocation: sourceLocation) { $0.contains(wanted) }
    }

    /// Returns the exit status of the program, once the shell is back.
    func status() async throws -> Int32? {
        try await wait(for: "the shell is back")
        let text = try String(contentsOfFile: statusFile, encoding: .utf8)
        return Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Whether the program has left the terminal's mode as it was.
    func isModeRestored() throws -> Bool {
        let modes = try ["before", "after"].map { try String(contentsOfFile: "\(statusFile).\($0)", encoding: .utf8) }
        return modes[0] == modes[1] && !modes[0].isEmpty
    }

    /// Whether no screen, no mouse and no hidden cursor is left of a program.
    func isPlain() async throws -> Bool {
        let flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"
        return try await run("display-message", "-p", flags) == "0 0 1\n"
    }

    var errors: String { (try? String(contentsOfFile: "\(statusFile).errors", encoding: .utf8)) ?? "" }

    /// The process id of the program in the window.
    func programID() async throws -> pid_t {
        let text = try await run("display-message", "-p", "#{pane_pid}")
        let shell = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> String {
        let result = try await RunningProgram.run(
            TerminalWindow.tmux,
            ["-S", socket] + arguments,
            environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
        )
        try #require(result.status == 0, "tmux \(arguments.first ?? ""): \(result.errors)")
        return result.output
    }
}
