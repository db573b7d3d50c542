import Foundation
import RPCCore
import Testing

/// `ErrorReason`'s constants, their comments, and the comments of the protos: three lists that say the same.
@Suite struct ErrorReasonTests {
    private typealias Reason = (text: String, code: String?, isLocal: Bool)

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    private static let codes = Set(StatusCode.allCases.map(\.name))

    /// The lines of a file. A comment is at the end of the line before it.
    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .replacing(/\n *\/\/+/, with: "").components(separatedBy: "\n")
    }

    /// The words in capitals, each with the status code that introduces it: `NOT_FOUND:`, `ABORTED with RetryInfo:`.
    private static func words(in line: String) -> [(word: String, code: String?)] {
        var words: [(word: String, code: String?)] = []
        for match in line.matches(of: /\b([A-Z_]{3,})\b(:| with\b| \()?/) {
            let word = String(match.1)
            let isCode = match.2 != nil && codes.contains(word)
            words.append((word, isCode ? word : words.last?.code))
        }
        return words
    }

    private static func reasons() throws -> [Reason] {
        var (reasons, code, isLocal) = ([Reason](), String?.none, false)
        let files = ["ErrorReason.swift", "ErrorReason+Service.swift"]
        for line in try files.flatMap({ try lines("Sources/RPCCore/\($0)") }) {
            if let text = line.firstMatch(of: /static let .* = ErrorReason\(rawValue: "(.*?)"/)?.1 {
                reasons.append((String(text), code, isLocal))
            }
            if line == "}" { isLocal = false }
            if line.contains("that the client itself makes") { isLocal = true }
            code = words(in: line).lazy.compactMap(\.code).first
        }
        return reasons
    }

    /// Whoever generates a client from the protos finds every reason there, beside the code with which it comes.
    @Test func everyReasonOfAServerStandsInTheProtosBesideItsCode() throws {
        let protos = ["marvel/v1/marvel", "marvel/rpc/v1/extensions", "marvel/rpc/v1/ttrpc", "grpc/health/v1/health"]
        let lines = try protos.flatMap { try Self.lines("Protos/\($0).proto") }
        let words = lines.flatMap(Self.words)
        let reasons = try Self.reasons()
        #expect(reasons.count > 80)
        for reason in reasons {
            #expect(reason.code != nil, "the comment of \(reason.text) names its code")
            let isNamed = words.contains { $0.word == reason.text && $0.code == reason.code }
            #expect(isNamed != reason.isLocal, "\(reason)")
        }
        // The other words in capitals are values of enumerations, or ends of their names.
        let values = lines.compactMap { $0.firstMatch(of: /^ *([A-Z_]+) =/)?.1 }
        let known = Self.codes.union(reasons.map(\.text)).union(["NO_SIDE_EFFECTS", "UPPER_SNAKE_CASE"])
        for (word, _) in words where word.contains("_") && !known.contains(word) {
            #expect(values.contains { $0.hasSuffix(word) }, "\(word) is not a reason")
        }
    }

    @Test func everyErrorOfTheServiceHasTheCodeOfItsReason() throws {
        let codes = Dictionary(uniqueKeysWithValues: try Self.reasons().map { ($0.text, $0.code) })
        for error in ErrorTableTests.all {
            #expect(codes[try #require(error.reason).rawValue] == error.code.name, "\(error)")
        }
    }
}
