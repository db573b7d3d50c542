import ChildProcesses
import Foundation
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// The `.proto` files as the rest of the world reads them: with Google's compiler, and its Python library on the other
/// side of the wire. The tools have to be installed; without them these tests fail.
struct OtherLanguagesTests {
    private static let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let protos = repository.appending(path: "Protos")

    private static func protoFiles() throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: protos.path())
        return all.filter { $0.hasSuffix(".proto") }.sorted()
    }

    /// Runs a program to its end.
    ///
    /// - Throws: `Failure` with what it wrote to its standard error, unless it ended with 0.
    private static func run(_ program: String, _ arguments: [String]) async throws {
        let run = try await ChildProcess.run("/usr/bin/env", [program] + arguments)
        guard run.status == 0 else { throw Failure(description: "\(program): \(run.errors)\(run.output)") }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Test(arguments: ["cpp", "python", "java"])
    func theProtoFilesAreTakenAsTheyAre(language: String) async throws {
        let folder = try TemporaryFolder()
        let files = try OtherLanguagesTests.protoFiles()
        #expect(files.count == 6)
        let protos = OtherLanguagesTests.protos.path()
        let output = folder.url.path()
        try await OtherLanguagesTests.run("protoc", ["--proto_path", protos, "--\(language)_out", output] + files)
        #expect(try !FileManager.default.subpathsOfDirectory(atPath: output).isEmpty)
    }

    /// Their plugins then need no flags. Go's wants a path with a slash.
    @Test func theProtoFilesNameTheirPackageInOtherLanguages() throws {
        for file in try OtherLanguagesTests.protoFiles() {
            let text = try String(contentsOf: OtherLanguagesTests.protos.appending(path: file), encoding: .utf8)
            for option in [
                #/\noption go_package = "[a-z0-9.-]+/[a-z0-9_/;.-]+";\n/#, #/\noption java_package = "[a-z0-9.]+";\n/#,
                #/\noption csharp_namespace = "[A-Za-z0-9.]+";\n/#,
            ] {
                #expect(text.contains(option), "\(file)")
            }
        }
    }

    /// A change of a name, a type or a number breaks the wire for programs of other versions: what is in the file stays.
    /// With `MARVEL_WRITE_GOLDEN` set, the test writes the file, for fields that are new.
    @Test func namesAndNumbersAreThoseOfTheFile() throws {
        let lines = try OtherLanguagesTests.protoFiles().flatMap { file in
            let text = try String(contentsOf: OtherLanguagesTests.protos.appending(path: file), encoding: .utf8)
            let parts = text.replacing(#/\ *//.*/#, with: "").split(separator: "\n").map { $0.drop { $0 == " " } }
            return [file] + parts.filter { $0.contains(#/ = -?[0-9]+\b|^rpc |^[a-z]+ \w+ {$/#) }.map { "  \($0)" }
        }
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Numbers.txt")
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["MARVEL_WRITE_GOLDEN"] != nil { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func theGeneratedCodeMatchesTheProtoFiles() async throws {
        try await OtherLanguagesTests.run(OtherLanguagesTests.protos.appending(path: "generate").path(), ["--check"])
    }

    /// As reflection would send them: another compiler makes code of them without the files.
    @Test func theDescriptorsAreTheProtoFiles() async throws {
        // A `google.protobuf.FileDescriptorSet`.
        var set = ByteBuffer()
        for file in ProtoFiles.all {
            let descriptor = ByteBuffer(bytes: file.descriptor)
            let length = descriptor.readableBytes
            set.write(byteCount: 1 + Varint.byteCount(UInt64(length)) + length) { writer in
                writer.write(tag: 1 << 3 | 2, byteCount: length)
                writer.write(descriptor)
            }
        }
        let folder = try TemporaryFolder()
        let input = folder.path("protos.binpb")
        try Data(set.readableBytesView).write(to: URL(filePath: input))
        let files = try OtherLanguagesTests.protoFiles()
        try await OtherLanguagesTests.run(
            "protoc",
            ["--descriptor_set_in", input, "--python_out", folder.url.path()] + files
        )
        #expect(files.allSatisfy { file in ProtoFiles.all.contains { $0.name == file } })
    }

}
