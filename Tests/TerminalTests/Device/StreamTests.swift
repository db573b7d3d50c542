import ChildProcesses
import Glibc
import Testing

@testable import Terminal

@Suite(.timeLimit(.minutes(10)))
struct TerminalReaderTests {
    private let window: PseudoTerminal
    private let reader: TerminalReader

    init() throws {
        window = try PseudoTerminal()
        reader = try TerminalReader(descriptor: window.terminal)
    }

    @Test func keysAreReadAsTheyCome() async {
        window.write("one\n")
        #expect(await reader.read(within: nil) == .bytes(Array("one\n".utf8)))
        window.write("two\n")
        #expect(await reader.read(within: 60_000) == .bytes(Array("two\n".utf8)))
    }

    @Test func aTimeoutReturnsNothing() async {
        #expect(await reader.read(within: 0) == .nothing)
        #expect(await reader.read(within: 1) == .nothing)
    }

    @Test func aCancelledReadEnds() async {
        let reading = Task { await reader.read(within: nil) }
        reading.cancel()
        #expect(await reading.value == .end)
    }

    @Test func theEndOfTheInputIsTheEnd() async throws {
        // The letter that a terminal in its ordinary mode takes as the end.
        window.write("\u{4}")
        #expect(await reader.read(within: nil) == .end)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct FileOutputTests {
    @Test func everythingIsWrittenToAReaderThatIsSlow() async throws {
        let pipe = try ReadablePipe()
        // A parent may have made the pipe so. It holds less than is written.
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        async let written = onThread {
            try FileOutput(descriptor: pipe.writeEnd).write(bytes)
            pipe.closeWriteEnd()
        }
        let read = try await onThread {
            var read: [UInt8] = []
            pipe.readToEnd { read += $0 }
            return read
        }
        try await written
        #expect(read == bytes)
    }

    @Test func aReaderThatIsGoneIsNoted() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try ReadablePipe()
        pipe.closeReadEnd()
        defer { pipe.closeWriteEnd() }
        #expect(throws: OutputError.readerGone) { try FileOutput(descriptor: pipe.writeEnd).write("text") }
    }

    @Test func aFailureHasItsReason() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let failure = OutputError.failed(reason: "No space left on device")
        #expect(throws: failure) { try FileOutput(descriptor: full).write("text") }
    }

    @Test func onlyATerminalHasAWidth() throws {
        let pipe = try ReadablePipe()
        defer {
            pipe.closeReadEnd()
            pipe.closeWriteEnd()
        }
        #expect(FileOutput(descriptor: pipe.writeEnd).columns == nil)
        #expect(!FileOutput(descriptor: pipe.writeEnd).isTerminal)
        let window = try PseudoTerminal(columns: 132)
        #expect(FileOutput(descriptor: window.terminal).columns == 132)
    }
}
