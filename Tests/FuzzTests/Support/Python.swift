import ChildProcesses
import Foundation

/// Python with the classes that protoc generates from our `.proto` files. Both have to be installed; without them the
/// tests that use them fail.
enum Python {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let protos = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Protos")

    /// - Parameters:
    ///   - script: The program; it imports `marvel.v1.marvel_pb2` and so on.
    ///   - input: What it reads.
    /// - Returns: What it printed.
    /// - Throws: `Failure` unless it ended with 0.
    static func run(_ script: String, input: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try FileManager.default.subpathsOfDirectory(atPath: protos.path()).filter { $0.hasSuffix(".proto") }
        _ = try launch("protoc", ["--proto_path", protos.path(), "--python_out", folder.path()] + files, in: folder)
        // The health service's package has the name of gRPC's own library, which would be taken in its place.
        try Data().write(to: folder.appending(path: "grpc/__init__.py"))
        try script.write(to: folder.appending(path: "script.py"), atomically: true, encoding: .utf8)
        try input.write(to: folder.appending(path: "input"), atomically: true, encoding: .utf8)
        return try launch("/usr/bin/python3", [folder.appending(path: "script.py").path()], in: folder)
    }

    private static func launch(_ program: String, _ arguments: [String], in folder: URL) throws -> String {
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        func writing(_ file: URL) throws -> FileHandle {
            try Data().write(to: file)
            return try FileHandle(forWritingTo: file)
        }
        let input = try? FileHandle(forReadingFrom: folder.appending(path: "input"))
        let status = try withExtendedLifetime((input, try writing(output), try writing(errors))) { files in
            try ChildProcess(
                "/usr/bin/env",
                [program] + arguments,
                input: files.0?.fileDescriptor,
                output: files.1.fileDescriptor,
                errors: files.2.fileDescriptor
            ).wait()
        }
        guard status == 0 else {
            let text = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
            throw Failure(description: "\(program): \(text.suffix(2000))")
        }
        return try String(contentsOf: output, encoding: .utf8)
    }
}
