import ChildProcesses
import Glibc
import Testing

/// The behavior of `marvel` that only a process of its own can show. Nobody answers it.
@Suite(.timeLimit(.minutes(10)))
struct ClientProcessTests {
    private let silent: ListeningSocket

    init() throws {
        silent = try ListeningSocket()
    }

    private var address: String { "127.0.0.1:\(silent.port)" }

    @Test func theFirstInterruptCancelsTheCallAndSaysSo() async throws {
        let marvel = try RunningProgram("marvel", ["search", "spider", "--server", address])
        let connection = try await onThread { [silent] in
            let connection = accept(silent.descriptor, nil, nil)
            var byte: UInt8 = 0
            _ = recv(connection, &byte, 1, 0)
            return connection
        }
        defer { close(connection) }
        marvel.send(SIGINT)
        #expect(await marvel.waitForEnd() == 130)
        #expect(marvel.errorText == "Cancelled.\n")
        #expect(marvel.outputText == "")
    }

    @Test func aClosedOutputIsNotAFailure() async throws {
        let (status, errors) = try await onThread {
            let (output, errors) = (try ReadablePipe(), try ReadablePipe())
            output.closeReadEnd()
            let marvel = try ChildProcess(
                RunningProgram.path("marvel"),
                ["--help"],
                environment: [],
                output: output.writeEnd,
                errors: errors.writeEnd
            )
            output.closeWriteEnd()
            errors.closeWriteEnd()
            return (marvel.wait(), errors.text())
        }
        #expect(status == 0)
        #expect(errors == "")
    }

    private func browse(on screen: PseudoTerminal) throws -> ChildProcess {
        try ChildProcess(
            RunningProgram.path("marvel"),
            ["browse", "--server", address],
            environment: ["TERM=xterm", "HOME=/nonexistent"],
            input: screen.terminal,
            output: screen.terminal,
            errors: screen.terminal
        )
    }

    @Test func aStoppedScreenIsRedrawnAndControlCExitsWith130() async throws {
        let status = try await onThread {
            let screen = try PseudoTerminal()
            let process = try browse(on: screen)
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
    @Test func aResizeAndControlLDrawTheScreenAgain() async throws {
        let screens = try await onThread {
            let screen = try PseudoTerminal()
            let process = try browse(on: screen)
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

    @Test func aSignalEndsAScreenWhoseTerminalReadsNothing() async throws {
        let (status, isRaw) = try await onThread {
            let screen = try PseudoTerminal(columns: 500, rows: 200)
            let process = try browse(on: screen)
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
}
