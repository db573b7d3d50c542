import Foundation
import Testing

@testable import Browse

/// The main states of the app, to the letter: a change of what people see shows in review.
///
/// With `MARVEL_WRITE_GOLDEN` set the files are written again. Pictures are drawn as `▒`.
@Suite
struct GoldenTests {
    struct Window: Sendable, CustomTestStringConvertible {
        var name: String
        var columns: Int
        var rows: Int

        var testDescription: String { "\(name), \(columns)x\(rows)" }
        var file: URL {
            GoldenTests.folder.appending(path: "\(name.replacing(" ", with: "-"))-\(columns)x\(rows).txt")
        }
    }

    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Golden")
    private static let usual = Gallery.all.map { Window(name: $0.name, columns: 80, rows: 24) }
    private static let large = ["results with pictures", "grid", "detail"].map {
        Window(name: $0, columns: 200, rows: 60)
    }
    private static let small = [
        "results", "grid", "suggestions", "server gone", "rows to come", "detail", "message", "help",
    ]
    .map { Window(name: $0, columns: 40, rows: 10) }

    @Test(arguments: usual + large + small)
    func theScreenMatchesItsGoldenFile(window: Window) throws {
        let model = try #require(Gallery.all.first { $0.name == window.name }).model(window.columns, window.rows)
        let text = BrowseView(model).screen.textWithPictures + "\n"
        if ProcessInfo.processInfo.environment["MARVEL_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: window.file)
        }
        let golden = try String(contentsOf: window.file, encoding: .utf8)
        #expect(text == golden, "\n\(text)")
    }

    @Test func everyGoldenFileIsUsed() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: GoldenTests.folder.path(percentEncoded: false))
        let windows = GoldenTests.usual + GoldenTests.large + GoldenTests.small
        #expect(Set(names) == Set(windows.map(\.file.lastPathComponent)))
    }
}
