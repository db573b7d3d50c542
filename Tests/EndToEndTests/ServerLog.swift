import Foundation
import Testing

/// A line of a server's log, read back: one JSON object.
struct LogLine {
    let text: String
    let members: [String: Any]

    var message: String? { members["message"] as? String }

    /// - Throws: If the line is no JSON object.
    init(_ text: some StringProtocol) throws {
        self.text = String(text)
        members = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            "no JSON object: \(text)"
        )
    }
}

/// Looks often, for half a minute at most, for what no event tells: the output of a program, or an answer.
func wait(for what: String, until isThere: () async throws -> Bool) async throws {
    for _ in 0..<600 {
        if try await isThere() { return }
        try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("\(what) did not come")
    throw CancellationError()
}

/// Asks for a page over HTTP.
func page(_ path: String, at address: String) async throws -> (status: String, body: String) {
    let curl = try await succeeded(
        RunningProgram.run(
            "/usr/bin/curl",
            ["--silent", "--show-error", "--max-time", "30", "--write-out", "%{http_code}", "http://\(address)\(path)"]
        )
    )
    return (String(curl.output.suffix(3)), String(curl.output.dropLast(3)))
}

extension RunningProgram {
    /// All whole lines so far.
    func logLines() throws -> [LogLine] {
        let text = errorText
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return try text[..<end].split(separator: "\n").map { try LogLine($0) }
    }

    /// Asks a server for its counters by SIGUSR1, and waits for the answer.
    func counters() async throws -> [String: Int] {
        let known = try countedLines().count
        send(SIGUSR1)
        while true {
            if let line = try countedLines().dropFirst(known).first {
                return line.members.compactMapValues { $0 as? Int }
            }
            try #require(!hasEnded, "the server ended; it said: \(errorText)")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func countedLines() throws -> [LogLine] {
        try logLines().filter { $0.message == "counted" }
    }

    /// Waits until the server has counted what is wanted.
    func waitForCounters(where condition: ([String: Int]) -> Bool) async throws {
        while try await !condition(counters()) { try await Task.sleep(for: .milliseconds(20)) }
    }
}
