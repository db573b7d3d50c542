import Foundation
import Testing

/// A document of the repository: README, the manual of a program, or an article about a target.
struct Manual: Sendable {
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    /// README, the documents beside it, and the articles of every target.
    static let all: [Manual] = (["README.md", "deploy/README.md", "Tests/Benchmarks/README.md"] + articles)
        .map(Manual.init)

    private static var articles: [String] {
        names(in: "Sources").flatMap { target in
            names(in: "Sources/\(target)/Documentation.docc").filter { $0.hasSuffix(".md") }
                .map { "Sources/\(target)/Documentation.docc/\($0)" }
        }
    }

    /// The names of the files in a folder of the repository, in order; empty if there is no such folder.
    static func names(in folder: String) -> [String] {
        let path = repository.appending(path: folder).path
        return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    /// The path in the repository.
    let path: String
    /// The text; empty if the file cannot be read.
    let text: String

    init(path: String) {
        self.path = path
        text = (try? String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)) ?? ""
    }

    /// The commands to run, in their order: the lines of `sh` blocks, and those of `console` blocks after a `$`. Blocks
    /// that are marked as an example (`sh example`) have none.
    var commands: [String] {
        var commands: [String] = []
        for (language, lines) in blocks {
            if language == "sh" { commands += lines }
            if language == "console" { commands += lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) } }
        }
        return commands
    }

    /// The blocks of Swift. Those that no test can compile are left out: lines of a package's manifest, and what needs
    /// swift-protobuf.
    var swiftBlocks: [[String]] {
        blocks.filter { block in
            block.language == "swift" && block.lines.first?.hasPrefix(".package(") == false
                && !block.lines.contains("import SwiftProtobuf")
        }
        .map { $0.lines }
    }

    /// The blocks of code, without empty lines, and with continued lines in one.
    private var blocks: [(language: String, lines: [String])] {
        var blocks: [(language: String, lines: [String])] = []
        var isInside = false
        for line in text.replacing("\\\n", with: "").split(separator: "\n") {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside { blocks.append((String(line.dropFirst(3)), [])) }
            } else if isInside {
                blocks[blocks.count - 1].lines.append(String(line))
            }
        }
        return blocks
    }

    /// The commands that call the programs of this package.
    var programCommands: [String] {
        commands.filter { $0.prefixMatch(of: #/(printf .*\| *)?marvel(-server|-gateway)? /#) != nil }
    }

    /// The files that the document links to, by their paths in the repository.
    var linkedFiles: [String] {
        let folder = path.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        let files = text.matches(of: /\]\(([^):#]+)\)/).map { "\(folder)\($0.1)" }
        return files + text.matches(of: /<doc:([A-Za-z]+)>/).map { "\(folder)\($0.1).md" }
    }
}

extension Manual: CustomTestStringConvertible {
    var testDescription: String { path }
}
