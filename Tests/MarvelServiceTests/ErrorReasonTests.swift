import Foundation
import RPCCore
import Testing

/// `ErrorReason`'s constants, their comments, and the comments of the protos: three lists that say the same.
@Suite struct ErrorReasonTests {
    /// A constant of `ErrorReason`, as its declaration and its comment have it.
    private struct Declaration {
        var name: String
        var text: String
        var code: String
        /// Whether only the client makes errors with it.
        var isLocal: Bool
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private static let codes = Set(StatusCode.allCases.map(\.name))

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func declarations() throws -> [Declaration] {
        let files = ["ErrorReason.swift", "ErrorReason+Service.swift"]
        let source = try files.map { try text("Sources/RPCCore/\($0)") }.joined()
        var declarations: [Declaration] = []
        var (comment, isLocal) = ("", false)
        for line in source.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            let words = line.split(separator: " ")
            if line.hasPrefix("///") {
                comment += line.dropFirst(3)
                continue
            } else if line.hasPrefix("extension") {
                isLocal = comment.contains("that the client itself makes")
            } else if line.hasPrefix("public static let") {
                let code = codes(in: comment).first ?? ""
                let text = String(line.split(separator: "\"")[1])
                declarations.append(Declaration(name: String(words[3]), text: text, code: code, isLocal: isLocal))
            }
            comment = ""
        }
        return declarations
    }

    /// The status codes that introduce a remedy or a list of reasons: `NOT_FOUND:`, `ABORTED with RetryInfo:`.
    private static func codes(in comment: String) -> [String] {
        words(of: comment).filter(\.isCode).map(\.word)
    }

    /// The words in capitals of a text, and whether each is a status code that introduces something.
    private static func words(of text: String) -> [(word: String, isCode: Bool)] {
        let pieces = text.split(separator: " ")
        return pieces.enumerated().compactMap { index, piece in
            let word = piece.trimmingCharacters(in: CharacterSet(charactersIn: "`().,:;"))
            guard word.count > 2, word.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x5F }) else { return nil }
            let next = index + 1 < pieces.count ? pieces[index + 1] : ""
            let isIntroduction = piece.hasSuffix(":") || (piece == word && (next == "with" || next.hasPrefix("(")))
            return (word, isIntroduction && codes.contains(word))
        }
    }

    /// The words in capitals of a proto's comments, each with the status code before it in the same comment.
    private static func words(ofProto text: String) -> [(word: String, code: String?)] {
        var words: [(word: String, code: String?)] = []
        var comment = ""
        for line in text.components(separatedBy: "\n") + [""] {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("//") {
                comment += line.dropFirst(2)
                continue
            }
            var code: String?
            for (word, isCode) in Self.words(of: comment) {
                if isCode { code = word } else { words.append((word, code)) }
            }
            comment = ""
        }
        return words
    }

    /// Whoever generates a client from the protos finds every reason there, beside the code with which it comes.
    @Test func everyReasonOfAServerStandsInTheProtosBesideItsCode() throws {
        let protos = ["marvel/v1/marvel", "marvel/rpc/v1/extensions", "marvel/rpc/v1/ttrpc", "grpc/health/v1/health"]
        let texts = try protos.map { try Self.text("Protos/\($0).proto") }
        let words = texts.flatMap(Self.words(ofProto:))
        let reasons = try Self.declarations()
        for reason in reasons {
            #expect(Self.codes.contains(reason.code), "the comment of \(reason.name) names its code")
            let isNamed = words.contains { $0.word == reason.text && $0.code == reason.code }
            #expect(isNamed != reason.isLocal, "\(reason.code): \(reason.text)")
        }
        // What else is written so is a value of an enumeration, or named for one.
        let lines = texts.joined().split(separator: "\n").map { $0.split(separator: " ") }
        let values = lines.filter { $0.count == 3 && $0[1] == "=" }.map { $0[0] }
        let known = Self.codes.union(reasons.map(\.text)).union(["NO_SIDE_EFFECTS", "UPPER_SNAKE_CASE"])
        for (word, _) in words where word.contains("_") && !known.contains(word) {
            #expect(values.contains { $0.hasSuffix(word) }, "\(word) is not a reason")
        }
    }

    @Test func everyErrorOfTheServiceHasTheCodeOfItsReason() throws {
        let codes = Dictionary(uniqueKeysWithValues: try Self.declarations().map { ($0.text, $0.code) })
        for error in ErrorTableTests.all {
            #expect(codes[try #require(error.reason).rawValue] == error.code.name, "\(error)")
        }
    }
}
