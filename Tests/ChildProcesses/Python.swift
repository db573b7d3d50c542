internal import Foundation

/// Python with the classes that protoc generates from our `.proto` files. Both have to be installed; without them the
/// tests that use them fail.
package enum Python {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let protos = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Protos")

    /// - Parameters:
    ///   - script: The program; it imports `marvel.v1.marvel_pb2` and so on.
    ///   - input: What is in the file that its argument names.
    /// - Returns: What it printed.
    /// - Throws: Unless it ended with 0.
    package static func run(_ script: String, input: String) async throws -> String {
        let folder = try TemporaryFolder()
        let files = try FileManager.default.subpathsOfDirectory(atPath: protos.path()).filter { $0.hasSuffix(".proto") }
        _ = try await launch("protoc", ["--proto_path", protos.path(), "--python_out", folder.url.path()] + files)
        // The health service's package has the name of gRPC's own library, which would be taken in its place.
        _ = try folder.file("grpc/__init__.py")
        let paths = [try folder.file("script.py", script), try folder.file("input", input)]
        return try await launch("/usr/bin/python3", paths)
    }

    private static func launch(_ program: String, _ arguments: [String]) async throws -> String {
        let run = try await ChildProcess.run("/usr/bin/env", [program] + arguments)
        guard run.status == 0 else { throw Failure(description: "\(program): \(run.errors.suffix(2000))") }
        return run.output
    }
}
