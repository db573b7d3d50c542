import ChildProcesses
import Foundation
import NIOCore
import NIOPosix
import Testing

/// Servers and the world around their process: signals, standard error, /proc, and accept(2).
@Suite(.timeLimit(.minutes(3)))
struct ProcessTests {
    @Test func sighupToAGatewayIsLoggedAndIgnored() async throws {
        let server = try RunningProgram("marvel-gateway", ["--address", "127.0.0.1:0"], environment: Stand.keys)
        _ = try await server.listeningAddress()
        for _ in 0..<2 { server.send(SIGHUP) }
        try await server.waitForError(containing: "SIGHUP is ignored")
        #expect(await server.stop() == 0)
    }

    /// Swift reads a program's arguments from there.
    @Test(arguments: ["marvel-server", "marvel-gateway", "marvel"])
    func withoutProcAProgramRefusesToStart(_ program: String) async throws {
        let path = RunningProgram.folder.appending(path: program).path
        let script = "mount -t tmpfs none /proc && exec '\(path)' --version"
        let run = try await RunningProgram.run("/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script])
        #expect(run.status == 1)
        #expect(run.errors.contains("/proc is not mounted"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        (["chek"], "Did you mean 'check'?"), (["--capacity", "0"], "--capacity is 0; it must be 1 to 100"),
        (["--capacity", "101"], "--capacity is 101"), (["--framed", "x"], "--framed is x; it must be host:port"),
        (["--catalog", "synthetic:0"], "N in synthetic:N must be 1 to"),
        (["--catalog", "ftp://example"], "ftp://example"),
        (["--framed", "off", "--http", "off"], "no calls"),
        (["--set", "limits.keepalive-interval=9s"], "it must be 10s or more"),
        (["--set", "limits.drain-timeout=25"], "--set limits.drain-timeout is 25; add a unit: 25s"),
        (["--set", "image-cache-bytes=1"], "did you mean --set gateway.image-cache-bytes=...?"),
        (["--max-streams", "5"], "Did you mean --set limits.max-streams=<count>?"),
        (["config", "--no-reflection"], "Did you mean --set reflection=false?"), (["--stor", "s"], "--store"),
        (["--capacity", "5", "--set", "capacity=6"], "remove one of them"),
    ])
    func aUsageErrorNamesItsFlag(_ arguments: [String], _ text: String) async throws {
        let run = try await RunningProgram.run("marvel-server", arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(text), "\(run.errors)")
    }

    @Test(arguments: [("ulimit -n 24", "may open 24 files"), ("ulimit -v 400000", "limited to 390 MiB")])
    func aLimitOfTheProcessThatIsTooLowIsNamed(_ limit: String, _ text: String) async throws {
        let folder = try TemporaryFolder()
        for program in ["marvel-server", "marvel-gateway"] {
            let path = RunningProgram.folder.appending(path: program).path
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

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    func withoutThreadsAServerSaysSo() async throws {
        let folder = try TemporaryFolder()
        let run = try await RunningProgram.run(
            "/usr/bin/strace",
            ["--follow-forks", "--output=/dev/null", "--trace=clone3", "--inject=clone3:error=EAGAIN"]
                + [RunningProgram.folder.appending(path: "marvel-server").path]
                + ["--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite")]
        )
        #expect(run.status == 1)
        #expect(run.errors.contains("marvel-server: this process cannot start"), "\(run.errors)")
    }

    /// EPROTO is an error of the connection that was to be accepted; SwiftNIO closes the listener for it.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")),
        arguments: ["EPROTO", "EPERM", "EINVAL"]
    )
    func anAcceptThatFailsIsLoggedAndAcceptingContinues(_ error: String) async throws {
        let folder = try TemporaryFolder()
        let strace = try RunningProgram(
            "/usr/bin/strace",
            [
                "-f", "-qq", "-o", folder.path("trace"), "-e", "trace=accept4", "-e",
                "inject=accept4:error=\(error):when=1",
                RunningProgram.folder.appending(path: "marvel-server").path, "--framed", "127.0.0.1:0",
                "--store", folder.path("s"),
            ]
        )
        let address = try await strace.listeningAddress()
        let health = try await RunningProgram.run("marvel", ["--server", address, "health"])
        #expect(health.status == 0, "\(health.errors)")
        try await strace.waitForError(containing: "cannot accept a connection")
        try await strace.waitForError(containing: "listening again")
        // Stopped by its own id: strace would leave its child running.
        let serving = try #require(try strace.logLines().first { $0.message == "serving" })
        kill(pid_t(try #require(serving.members["pid"] as? Int)), SIGTERM)
        #expect(await strace.waitForEnd() == 0)
    }

    /// Everything is logged, and nobody reads it.
    @Test func aStalledReaderOfStandardErrorBlocksNoCall() async throws {
        let folder = try TemporaryFolder()
        let address = "unix:\(folder.path("socket"))"
        let pipe = try ReadablePipe()
        let server = try ChildProcess(
            RunningProgram.folder.appending(path: "marvel-server").path,
            ["--framed", address, "--store", folder.path("s"), "--log-level", "debug"],
            errors: pipe.writeEnd
        )
        pipe.closeWriteEnd()
        while !FileManager.default.fileExists(atPath: folder.path("socket")) {
            try await Task.sleep(for: .milliseconds(5))
        }
        // Each of them is a line in the log, 200 bytes at least: 64 KiB is what a pipe takes.
        for _ in 0..<1_000 { try await knock(folder.path("socket")) }
        let health = try await RunningProgram.run("marvel", ["--server", address, "health"])
        #expect(health.status == 0, "\(health.errors)")
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
