import FakeChannel
import Terminal
import Testing

@testable import marvel

struct SearchCommandTests {
    private let server = FakeServer(["SearchCharacters": [.message(firstPage), .message(lastPage)]])

    @Test func aDumbTerminalShowsNoProgress() async {
        let run = await Run("search spider", server, environment: ["TERM": "dumb"], errors: MemoryOutput(columns: 80))
        #expect(run.errors == "Data provided by Marvel.\n")
    }

    @Test func endsQuietlyWhenItsReaderLeaves() async {
        let run = await Run("search spider", server, output: MemoryOutput(writes: 1))
        #expect(run.output.hasPrefix("1011347\tSpider-Ham"))
        #expect(run.errors == "")
        #expect(run.status == .done)
    }

    @Test func saysThatTheOutputIsFull() async {
        let output = MemoryOutput(writes: 1, failure: .failed(reason: "No space left on device"))
        let run = await Run("search spider", server, output: output)
        #expect(run.errors.hasSuffix("Error: the output cannot be written: No space left on device\n"))
        #expect(run.status == .failed)
    }
}
