import ChildProcesses
import Foundation
import NIOCore
import NIOPosix
import Testing

/// Servers and the world around their process: signals, standard error, /proc, and accept(2).
@Suite(.timeLimit(.minutes(10)))
struct ProcessTests {
    @Test func sighupToAGatewayIsLoggedAndIgnored() async throws {
        let server = try RunningProgram("marvel-gateway", ["--address", "127.0.0.1:0"], environment: Stand.keys)
        _ = try await server.listeningAddress()
        for _ in 0..<2 { server.send(SIGHUP) }
        try await server.waitForError(containing: "SIGHUP is ignored")
        #expect(await server.stop() == 0)
    }

    /// In a container, where it is process 1, signals that it does not handle have no effect. Elsewhere they end it.
    @Test(arguments: [SIGTERM, SIGINT])
    func aServerHandlesSignalsWhileItStarts(_ ending: Int32) async throws {
        let silentDatabase = try ListeningSocket()
        let server = try RunningProgram(
            "marvel-server",
            ["--framed", "127.0.0.1:0", "--store", "postgresql://127.0.0.1:\(silentDatabase.port)/favorites"]
        )
        let connection = try await onThread { accept(silentDatabase.descriptor, nil, nil) }
        defer { close(connection) }
        server.send(SIGUSR1)
        server.send(ending)
        #expect(await server.waitForEnd() == 0)
    }

    /// Otherwise it would remove the folder below servers that still run.
    @Test(arguments: [SIGTERM, SIGHUP])
    func aScriptWaitsForTheProgramThatItEnds(_ signal: Int32) async throws {
        let program = """
            trap "echo ended >&2; exit" TERM; echo started >&2; for _ in $(seq 1000); do sleep 0.01; done
            """
        let script = """
            . '\(Manual.repository.path)/deploy/shared'
            trap 'echo cleaned >&2' EXIT
            interruptible /bin/bash -c '\(program)'
            """
        let run = try RunningProgram("/bin/bash", ["-euc", script])
        try await run.waitForError(containing: "started")
        run.send(signal)
        #expect(await run.waitForEnd() == 128 + signal)
        #expect(run.errorText == "started\nended\ncleaned\n")
    }

    /// Swift reads a program's arguments from there.
    @Test(arguments: ["marvel-server", "marvel-gateway", "marvel"])
    func withoutProcAProgramRefusesToStart(_ program: String) async throws {
        let path = RunningProgram.path(program)
        let script = "mount -t tmpfs none /proc && exec '\(path)' --version"
        let run = try await RunningProgram.run("/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script])
        #expect(run.status == 1)
        #expect(run.errors.contains("/proc is not mounted"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [("ulimit -n 24", "may open 24 files"), ("ulimit -v 400000", "limited to 390 MiB")])
    func aLimitOfTheProcessThatIsTooLowIsNamed(_ limit: String, _ text: String) async throws {
        let folder = try TemporaryFolder()
        for program in ["marvel-server", "marvel-gateway"] {
            let path = RunningProgram.path(program)
            let run = try await RunningProgram.run(
                "/bin/sh",
                ["-c", "cd '\(folder.path(""))' && \(limit) && exec '\(path)'"],
                environment: Stand.keys.merging(["HOME": folder.path("")]) { first, _ in first }
            )
            #expect(run.status == 78)
            #expect(run.errors.hasPrefix("\(program): ") && run.errors.contains(text), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }
    }

    @Test(.enabled(if: canTrace))
    func withoutThreadsAServerSaysSo() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningProgram.traced(
            ["--trace=clone3", "--inject=clone3:error=EAGAIN"],
            store: folder.path("favorites.sqlite")
        )
        #expect(await server.waitForEnd() == 1)
        #expect(server.errorText.contains("marvel-server: this process cannot start"), "\(server.errorText)")
    }

    /// EPROTO is an error of the connection that was to be accepted; SwiftNIO closes the listener for it.
    @Test(
        .enabled(if: canTrace),
        arguments: ["EPROTO", "EPERM", "EINVAL"]
    )
    func anAcceptThatFailsIsLoggedAndAcceptingContinues(_ error: String) async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        let server = try RunningProgram.traced(
            ["--trace=accept4", "--inject=accept4:error=\(error):when=1"],
            store: store
        )
        let address = try await server.listeningAddress()
        try await succeeded(RunningProgram.run("marvel", ["--server", address, "health"]))
        try await server.waitForError(containing: "cannot accept a connection")
        try await server.waitForError(containing: "listening again")
        #expect(try await server.endTraced(store: store, by: SIGTERM) == 0)
    }

    /// Everything is logged, and nobody reads it.
    @Test func aStalledReaderOfStandardErrorBlocksNoCall() async throws {
        let folder = try TemporaryFolder()
        let address = "unix:\(folder.path("socket"))"
        let pipe = try ReadablePipe()
        let server = try ChildProcess(
            RunningProgram.path("marvel-server"),
            ["--framed", address, "--store", folder.path("s"), "--log-level", "debug"],
            errors: pipe.writeEnd
        )
        pipe.closeWriteEnd()
        while !FileManager.default.fileExists(atPath: folder.path("socket")) {
            try await Task.sleep(for: .milliseconds(5))
        }
        // Each of them is a line in the log, 200 bytes at least: 64 KiB is what a pipe takes.
        for _ in 0..<1_000 { try await knock(folder.path("socket")) }
        try await succeeded(RunningProgram.run("marvel", ["--server", address, "health"]))
        server.send(SIGTERM)
        #expect(server.wait() == 0, "nor the end of the server")
        pipe.closeReadEnd()
    }

    /// Sends what no client of this protocol begins with, and waits until the server has closed the connection.
    private func knock(_ path: String) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: path).get()
        try? await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
        try await channel.closeFuture.get()
    }
}
