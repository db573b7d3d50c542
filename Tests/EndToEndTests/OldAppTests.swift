import ChildProcesses
import Foundation
import Testing

/// An app of the retired API in Debian's Chromium, against the gateway as it is shipped.
@Suite(.timeLimit(.minutes(10)))
struct OldAppTests {
    /// One test of `old_app_tests.py` for each catalog and each origin that an app may have.
    @Test func anOldAppRunsUnchanged() async throws {
        let arguments = [Peers.file("old_app_tests.py"), RunningProgram.folder.path]
        let tests = try await RunningProgram.run(Peers.python, arguments)
        // In one line: the report shows the first line of a comment only.
        let failures = "\(tests.output)\(tests.errors)".split(separator: "\n").joined(separator: " | ")
        #expect(tests.status == 0, "\(failures)")
    }
}
