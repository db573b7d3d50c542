import Foundation

/// The web page in a browser with 10,000 rows, as `page_speed.py` of the browser tests measures it.
struct PageSpeed: Codable {
    /// Of the files that the page loads at first.
    let bytes: Int
    /// Milliseconds from an answer to the frame that shows its rows, below the others.
    let drawn: Double
    /// The frames of a scroll through all rows.
    let frames: Int
    /// Milliseconds between two of these frames, at most.
    let longestFrame: Double
    /// Milliseconds of processor time that the page's thread takes for one of them, at most.
    let longestWork: Double

    init(in laboratory: Laboratory) throws {
        Progress.show("the web page")
        let repository = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardizedFileURL
        let python = repository.appending(path: ".build/peers/bin/python").path
        let script = repository.appending(path: "Tests/EndToEndTests/Peers/page_speed.py").path
        let server = try laboratory.startMarvelServer(catalog: "builtin", core: nil, overGRPC: true)
        let output = try PinnedProcess.output(core: nil, [python, script, "127.0.0.1:\(server.port)"])
        self = try JSONDecoder().decode(PageSpeed.self, from: output)
    }

    var bars: [Bar] {
        [
            Bar("web page: bytes", Double(bytes), atMost: 40 * 1024, "B"),
            Bar("web page, 10,000 rows: from an answer to its rows", drawn, atMost: 100, "ms"),
            Bar("web page, 10,000 rows: longest frame of \(frames) of a scroll", longestFrame, atMost: 50, "ms"),
            Bar("web page, 10,000 rows: work for the longest frame", longestWork, atMost: 50, "ms"),
        ]
    }
}
