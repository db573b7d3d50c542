import FakeChannel
import Foundation
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import marvel

/// The requests and the output of commands, in pipes and on a terminal of 80 columns.
struct TranscriptTests {
    /// A change of what a person reads shows in review. With `MARVEL_WRITE_GOLDEN` set, the test writes the file.
    @Test func everyCommandPrintsWhatTheFileShows() async throws {
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Transcripts.txt")
        var known = try String(contentsOf: file, encoding: .utf8)
        var sections: [String] = []
        for scene in Scene.all { sections.append(await scene.transcript()) }
        let text = sections.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["MARVEL_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
            known = text
        }
        for section in sections {
            let isKnown = known.contains(section)
            #expect(isKnown, "\n\(section)")
        }
        #expect(known.count == text.count, "the file has a scene that no test has")
    }
}

/// Some command lines, and what their server answers.
struct Scene: Sendable {
    private let title: String
    private let answers: [String: [FakeServer.Answer]]
    private let lines: [String]

    /// - Parameters:
    ///   - title: The heading in the file.
    ///   - answers: For each method, as in a `FakeServer`.
    ///   - lines: Arguments. Those before ` >` have an output that is no terminal; with `2>`, the errors have none either.
    init(_ title: String, _ answers: [String: [FakeServer.Answer]], _ lines: String...) {
        self.init(title, answers, lines)
    }

    init(_ title: String, _ answers: [String: [FakeServer.Answer]], _ lines: [String]) {
        self.title = title
        self.answers = answers
        self.lines = lines
    }

    func transcript() async -> String {
        var text = "== \(title)\n"
        for line in lines {
            let server = FakeServer(answers)
            let run = await Run(
                line.components(separatedBy: " >")[0],
                server,
                environment: line.contains("--color") ? [:] : ["NO_COLOR": "1"],
                output: MemoryOutput(columns: line.contains(" >") ? nil : 80),
                errors: MemoryOutput(columns: line.contains("2>") ? nil : 80)
            )
            text += "\n$ marvel \(line)\n"
            for call in server.calls { text += "→ \(Self.text(call))\n" }
            text += Self.visible(run.output)
            if !text.hasSuffix("\n") { text += "\n" }
            for line in Self.visible(run.errors).split(separator: "\n") { text += "2> \(line)\n" }
            if run.status != .done { text += "exit \(run.status.rawValue)\n" }
        }
        return text
    }

    private static func text(_ call: FakeServer.Call) -> String {
        let package = call.method.service.prefix { $0 != "M" && $0 != "H" }
        let name = call.method.method == "Check" ? "HealthCheck" : call.method.method
        let json = try? JSONTranslator("\(package)\(name)Request")?.json(of: call.request)
        let request = json.map { String(buffer: $0) } ?? "?"
        let timeout = call.timeout.map { " within \($0)" } ?? ""
        return "\(name) \(request.replacing(#/"requestId":"[-0-9a-f]{36}"/#, with: #""requestId":…"#))\(timeout)"
    }

    /// Shows control characters as the pictures that Unicode has of them.
    private static func visible(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let picture = scalar.value < 0x20 && scalar != "\n" ? Unicode.Scalar(0x2400 + scalar.value) : nil
            visible.append(picture ?? scalar)
        }
        return String(visible)
    }
}
