import ChildProcesses
import Foundation
import Testing

/// Standard streams that are closed, full, or read by nobody.
@Suite(.timeLimit(.minutes(10)))
struct StandardStreamTests {
    private func shell(_ script: String, in folder: TemporaryFolder) async throws -> (status: Int32, errors: String) {
        let path = RunningProgram.folder.path
        let run = try await RunningProgram.run(
            "/bin/sh",
            ["-c", "cd \(folder.path("")) && PATH=\(path):$PATH && \(script)"]
        )
        return (run.status, run.errors)
    }

    @Test(
        arguments: [
            "config", "check s", "token create x --scope admin --tokens t", "export",
            "lists s --export -",
        ]
    )
    func outputThatCannotBeWrittenIsAFailure(_ command: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("lists", #"{"favorites":[],"list":"team"}"#)
        #expect(try await shell("marvel-server lists s --import lists", in: folder).status == 0)
        let run = try await shell("marvel-server \(command) >/dev/full", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("standard output"), "\(run.errors)")
    }

    @Test func errorsThatCannotBeWrittenChangeNoStatus() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("lists", #"{"favorites":[],"list":"team"}"#)
        #expect(try await shell("marvel-server lists s --import lists", in: folder).status == 0)
        for stream in ["2>/dev/full", "2>&-", "0<&- 1>&- 2>&-"] {
            #expect(try await shell("marvel-server check none \(stream)", in: folder).status == 1, "\(stream)")
            let export = "marvel-server lists s --export text --overwrite \(stream)"
            #expect(try await shell(export, in: folder).status == 0, "\(stream)")
        }
        #expect(try String(contentsOfFile: folder.path("text"), encoding: .utf8).hasPrefix("{"))
    }

    @Test func aServerOutlivesTheReaderOfItsLog() async throws {
        let (folder, log) = (try TemporaryFolder(), try ReadablePipe())
        let socket = "unix:\(folder.path("socket"))"
        let server = try ChildProcess(
            RunningProgram.folder.appending(path: "marvel-server").path,
            ["--framed", socket, "--http", "off", "--operations", "off", "--store", folder.path("s")],
            errors: log.writeEnd
        )
        log.closeWriteEnd()
        _ = log.read()
        log.closeReadEnd()
        var isServing = false
        for _ in 0..<100 where !isServing {
            isServing = try await RunningProgram.run("marvel", ["--server", socket, "toggle", "1009610"]).status == 0
        }
        #expect(isServing)
        server.send(SIGTERM)
        #expect(try await onThread { server.wait() } == 0)
    }
}
