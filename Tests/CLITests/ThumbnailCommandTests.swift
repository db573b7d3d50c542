import FakeChannel
import Foundation
import MarvelClient
import NIOCore
import Testing
import WireMessages

@testable import marvel

struct ThumbnailCommandTests {
    private static func server(variant: String = "standard_large", isStale: Bool = false) -> FakeServer {
        FakeServer([
            "GetThumbnail": [
                .message(
                    GetThumbnailResponse(
                        data: ByteBuffer(string: "GIF89a"),
                        mediaType: "image/gif",
                        variant: variant,
                        isPlaceholder: isStale,
                        freshness: Freshness(source: .cache, age: .seconds(isStale ? 600 : 0), isStale: isStale),
                        attribution: attribution
                    )
                )
            ]
        ])
    }

    @Test func savesThePictureAndDescribesIt() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gif").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("something longer".utf8).write(to: URL(fileURLWithPath: file))
        let server = Self.server()
        let run = await Run.onTerminal("thumbnail 1009610 --output \(file) --variant standard_large", server)
        #expect(run.output == "Saved \(file): image/gif, 6 bytes.\n\nData provided by Marvel.\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("GIF89a".utf8))
        let request = try server.request(GetThumbnailRequest.self, of: "GetThumbnail")
        #expect(request == GetThumbnailRequest(id: 1_009_610, variant: "standard_large"))
    }

    @Test func reportsAnotherVariantAPlaceholderAndItsAge() async {
        let run = await Run.onTerminal("thumbnail 1009610 --output /dev/null", Self.server(isStale: true))
        #expect(
            run.output == """
                Saved /dev/null: image/gif, 6 bytes.
                This is standard_large: the requested variant was not available.
                The source has no picture of this character; this is its placeholder.

                The source does not answer: this data is 10 min old.
                Data provided by Marvel.

                """
        )
    }

    @Test func aPipeGetsThePictureAndATerminalDoesNot() async {
        let run = await Run("thumbnail 1009610 --output -", Self.server())
        #expect(run.output == "GIF89a")
        let server = Self.server()
        let refused = await Run("thumbnail 1009610 --output -", server, output: MemoryOutput(columns: 80))
        #expect(refused.status == .failed)
        #expect(refused.errors.contains("terminal"))
        #expect(refused.output.isEmpty && server.calls.isEmpty)
    }

    @Test func anUnwritableFileIsReported() async {
        let run = await Run("thumbnail 1009610 --output /dev/null/x", Self.server())
        #expect(run.status == .failed)
        #expect(run.errors.contains("/dev/null/x"))
    }

    @Test(arguments: [
        "thumbnail 1009610", "thumbnail 0 --output x", "thumbnail 1 --output x --variant huge",
        "thumbnail 1 --output - --json",
    ])
    func wrongUsageIsRefused(_ line: String) async {
        let server = Self.server()
        let run = await Run(line, server)
        #expect(run.status == .usage)
        #expect(server.calls.isEmpty)
    }
}
