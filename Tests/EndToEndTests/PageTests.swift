import ChildProcesses
import Foundation
import Testing

/// The web page in Debian's Chromium, against the server as it is shipped.
@Suite(.timeLimit(.minutes(10)))
struct PageTests {
    /// One test of `page_tests.py` for each thing that a person can do.
    @Test func thePageBehavesAsExpected() async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0", "--allow-edits"]) { stand in
            let http = try await stand.server.listeningAddress("http")
            let arguments = [Peers.file("page_tests.py"), http, stand.address, RunningProgram.folder.path]
            let tests = try await RunningProgram.run(Peers.python, arguments)
            // In one line: the report shows the first line of a comment only.
            let failures = "\(tests.output)\n\(tests.errors)".split(separator: "\n").filter { !$0.hasPrefix("ok ") }
            #expect(tests.status == 0, "\(failures.joined(separator: " | "))")
        }
    }
}
