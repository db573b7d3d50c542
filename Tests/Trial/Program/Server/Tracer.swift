import Foundation
import Glibc

/// strace, on a running server: makes system calls of it fail while it is attached.
final class Tracer {
    private let child: SupervisedProcess
    private let trace: String

    /// Attaches to the server.
    ///
    /// - Parameters:
    ///   - stage: Where it runs.
    ///   - injection: What fails and how, as strace has it: `fdatasync:error=EIO:when=3`.
    /// - Throws: If it cannot.
    init(_ stage: ServerStage, _ injection: String) async throws {
        let words = stage.path("strace-words")
        trace = stage.path("strace")
        let command = Self.command(injection, trace: trace) + ["--attach=\(try stage.server().processID)"]
        let child = try SupervisedProcess(command, output: words, cleaner: stage.cleaner)
        self.child = child
        try await wait(for: "strace to attach") {
            let text = try String(contentsOfFile: words, encoding: .utf8)
            guard child.isRunning else { throw RunError("strace ended: \(text)") }
            return text.contains("attached")
        }
    }

    /// Leaves the server, which continues without faults.
    func detach() async throws {
        child.send(SIGINT)
        try await child.waitForEnd()
    }

    /// For the case that the server ends first.
    func waitForEnd() async throws { try await child.waitForEnd() }

    /// The command under which a program is started, or to which one is added that runs. A call that is to fail has to
    /// be traced as well.
    static func command(_ injection: String, trace: String) -> [String] {
        let calls = injection.prefix { $0 != ":" }
        return ["strace", "--follow-forks", "--output=\(trace)", "--trace=\(calls)", "--inject=\(injection)"]
    }

    /// Returns the number of calls that it made fail.
    static func injectedCount(_ trace: String) -> Int {
        let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count { $0.hasSuffix("(INJECTED)") }
    }
}
