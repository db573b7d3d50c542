import ChildProcesses
import Glibc
import Testing

/// The behavior that only a process of its own can show.
struct ProcessTests {
    @Test func theFirstInterruptCancelsTheCallAndSaysSo() async throws {
        let ended = try await onThread {
            let server = try SilentServer()
            defer { server.stop() }
            let process = try MarvelProcess(["search", "spider", "--server", server.address])
            let connection = server.awaitCall()
            process.interrupt()
            defer { close(connection) }
            return process.finish()
        }
        #expect(ended.errors == "Cancelled.\n")
        #expect(ended.output == "")
        #expect(ended.status == 130)
    }

    private func browse(on screen: PseudoTerminal, _ server: SilentServer) throws -> ChildProcess {
        try ChildProcess(
            MarvelProcess.program,
            ["browse", "--server", server.address],
            environment: ["TERM=xterm", "HOME=/nonexistent"],
            input: screen.terminal,
            output: screen.terminal,
            errors: screen.terminal
        )
    }

    @Test(.timeLimit(.minutes(10)))
    func aStoppedScreenIsRedrawnAndControlCExitsWith130() async throws {
        let status = try await onThread {
            let server = try SilentServer()
            defer { server.stop() }
            let screen = try PseudoTerminal()
            let process = try browse(on: screen, server)
            screen.read(until: "a character's name")
            process.send(SIGSTOP)
            process.send(SIGCONT)
            screen.read(until: "\u{1B}[?1049h")
            screen.read(until: "a character's name")
            screen.write("\u{3}")
            return process.wait()
        }
        #expect(status == 130)
    }

    /// Two resizes that end at the first size damage the screen, too.
    @Test(.timeLimit(.minutes(10)))
    func aResizeAndControlLDrawTheScreenAgain() async throws {
        let screens = try await onThread {
            let server = try SilentServer()
            defer { server.stop() }
            let screen = try PseudoTerminal()
            let process = try browse(on: screen, server)
            var screens = [screen.read(until: "a character's name")]
            process.send(SIGWINCH)
            screens.append(screen.read(until: "a character's name"))
            screen.write("\u{C}")
            screens.append(screen.read(until: "a character's name"))
            screen.write("\u{3}")
            _ = process.wait()
            return screens
        }
        for screen in screens { #expect(screen.contains("a character's name")) }
    }

    @Test(.timeLimit(.minutes(10)))
    func aSignalEndsAScreenWhoseTerminalReadsNothing() async throws {
        let (status, isRaw) = try await onThread {
            let server = try SilentServer()
            defer { server.stop() }
            let screen = try PseudoTerminal(columns: 500, rows: 200)
            let process = try browse(on: screen, server)
            screen.read(until: "a character's name")
            // Each time it draws everything again, until the terminal has no room left.
            var room = pollfd(fd: screen.terminal, events: Int16(POLLOUT), revents: 0)
            for _ in 0..<10_000 where poll(&room, 1, 0) == 1 {
                process.send(SIGCONT)
                usleep(1_000)
            }
            process.send(SIGTERM)
            return (process.wait(), screen.isRaw)
        }
        #expect(status == 128 + SIGTERM)
        #expect(!isRaw)
    }

    @Test func aClosedOutputIsNotAFailure() async throws {
        let ended = try await onThread { try MarvelProcess(["--help"], hasReader: false).finish() }
        #expect(ended.status == 0)
        #expect(ended.errors == "")
    }

    @Test func aSilentServerExitsWith68() async throws {
        let ended = try await onThread {
            let server = try SilentServer()
            defer { server.stop() }
            let process = try MarvelProcess(["favorites", "--timeout", "50ms", "--server", server.address])
            let connection = server.awaitCall()
            defer { close(connection) }
            return process.finish()
        }
        #expect(ended.errors.contains(" did not answer within the timeout. "))
        #expect(ended.status == 68)
    }
}
