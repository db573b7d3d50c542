import ChildProcesses
import Foundation
import Testing

/// Catalog files, from what people have to what a client sees, with the programs as they are shipped.
@Suite(.timeLimit(.minutes(10)))
struct CatalogFileTests {
    /// A line for each number, in the API's form.
    private static func lines(_ numbers: some Sequence<Int>) -> Data {
        let lines = numbers.map { number in
            let padded = String(repeating: "0", count: 3 - "\(number)".count) + "\(number)"
            return #"{"id":\#(number),"name":"Spider \#(padded)","comics":{"available":\#(number)}}"# + "\n"
        }
        return Data(lines.joined().utf8)
    }

    private static func importing(
        _ data: Data,
        in folder: TemporaryFolder,
        _ arguments: String...
    ) async throws -> Ended {
        let file = folder.path("saved.jsonl")
        try data.write(to: URL(filePath: file))
        return try await RunningProgram.run(
            "marvel-server",
            ["import", file, "--into", folder.path("catalog")] + arguments
        )
    }

    private static func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func importedDocumentsAreServed() async throws {
        let folder = try TemporaryFolder()
        let made = try await Self.importing(Self.lines(1...3) + Data("{}\n".utf8), in: folder)
        #expect(made.status == 0)
        #expect(made.output.contains("took 3 records\nskipped: 1\n"), "\(made.output)")
        #expect(made.errors.contains("saved.jsonl:4: it is neither a response of the API nor a character"))
        let again = try await Self.importing(Self.lines(1...3), in: folder)
        #expect(again.status == 1)
        #expect(again.errors.contains("exists and was not replaced"))
        #expect(try Self.names(folder) == ["catalog", "saved.jsonl"])

        try await Stand.run(serverArguments: ["--catalog", folder.path("catalog")]) { stand in
            let search = try await stand.marvel("search", "spider", "--json")
            #expect(try JourneyTests.names(in: search.output) == ["Spider 001", "Spider 002", "Spider 003"])
            #expect(search.output.contains("SOURCE_FILE"))
            #expect(search.output.contains("Data provided by Marvel."))
            let picture = try await stand.marvel("thumbnail", "2", "--output", stand.folder.path("picture"))
            #expect(picture.output.contains("image/png"), "\(picture.output)\(picture.errors)")
            #expect(try await stand.marvel("toggle", "2", "--save").status == 0)
        }
    }

    @Test func aNewCatalogIsLoadedWhileServing() async throws {
        let folder = try TemporaryFolder()
        _ = try await Self.importing(Self.lines(11...40), in: folder)
        try await Stand.run(serverArguments: ["--catalog", folder.path("catalog")]) { stand in
            #expect(try await stand.marvel("search", "spider 040").output.contains("Spider 040"))
            #expect(try await Self.importing(Self.lines(21...30), in: folder, "--overwrite").status == 0)
            try await stand.server.waitForError(containing: "catalog replaced")

            try Data("no catalog".utf8).write(to: URL(filePath: folder.path("catalog")))
            try await stand.server.waitForError(containing: "catalog not replaced, still serving the old one")
            let still = try await stand.marvel("search", "spider", "--json")
            #expect(try JourneyTests.names(in: still.output).count == 10)
        }
        let start = try await marvelServer("--catalog", folder.path("catalog"))
        #expect(start.status == 1)
        #expect(start.errors.contains("is not a catalog file"), "\(start.errors)")
    }

    @Test func controlCharactersInFileNamesAreEscaped() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("a\u{1B}[2J\u{9B}1m\u{202E}.json")
        try Data("Words.".utf8).write(to: URL(filePath: file))
        let run = try await marvelServer("import", file, "--into", folder.path("catalog"))
        #expect(run.status == 1)
        for text in [run.output, run.errors] {
            #expect(text.contains(#"a\u{1b}[2J\u{9b}1m\u{202e}.json"#), "\(text)")
            #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) })
        }
    }

    /// The input is a pipe that the test holds open: the import is in the middle for as long as it likes.
    @Test func anImportThatIsInterruptedLeavesTheOldCatalog() async throws {
        let folder = try TemporaryFolder()
        _ = try await Self.importing(Self.lines(1...3), in: folder)
        let old = FileManager.default.contents(atPath: folder.path("catalog"))
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let program = try RunningProgram(
            "/bin/sh",
            [
                "-c", #"exec "$0" import - --into "$1" --overwrite < "$2""#,
                RunningProgram.path("marvel-server"), folder.path("catalog"), pipe,
            ]
        )
        // Opening waits for the reader. The empty lines fit into the pipe only when the program has read from it.
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: Self.lines(1...900))
        try writer.write(contentsOf: Data(repeating: UInt8(ascii: "\n"), count: 1 << 16))
        #expect(try Self.names(folder).contains { $0.hasPrefix("catalog.partial-") })
        program.send(SIGINT)
        try await program.waitForError(containing: "stopping")
        // It looks up from its work when there is something to read.
        try writer.write(contentsOf: Self.lines(1...500))
        try writer.close()
        #expect(await program.waitForEnd() == 130, "\(program.errorText)")
        #expect(FileManager.default.contents(atPath: folder.path("catalog")) == old)
        #expect(try Self.names(folder) == ["catalog", "pipe", "saved.jsonl"])
    }
}
