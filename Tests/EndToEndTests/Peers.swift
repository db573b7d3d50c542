import ChildProcesses
import Foundation
import Testing

/// Clients that are not of this project: their programs, and what they are made of.
enum Peers {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Peers")
    private static let repository = folder.appending(path: "../../..").standardizedFileURL

    /// The folder of the protos.
    static let protos = repository.appending(path: "Protos").path
    /// Python with the packages of `Peers/requirements.txt`, as `deploy/setup test` installs it.
    static let python = tool("python")

    /// Returns the path of a program of one of these packages.
    static func tool(_ name: String) -> String { repository.appending(path: ".build/peers/bin/\(name)").path }

    /// Returns the path of a file in the folder `Peers`.
    static func file(_ name: String) -> String { folder.appending(path: name).path }

    /// Builds a client in Go, with packages as Debian has them.
    ///
    /// - Parameters:
    ///   - name: Its folder in the folder `Peers`.
    ///   - folder: The folder of the program. The compiled packages stay in `.build` for the next client.
    /// - Returns: The path of the program.
    /// - Throws: If it cannot be built.
    static func buildGo(_ name: String, in folder: TemporaryFolder) async throws -> String {
        let files = try FileManager.default.contentsOfDirectory(atPath: file(name)).filter { $0.hasSuffix(".go") }
        let build = try await RunningProgram.run(
            "/usr/bin/go",
            ["build", "-o", folder.path("client")] + files.map { file("\(name)/\($0)") },
            environment: [
                "GO111MODULE": "off", "GOPATH": "/usr/share/gocode",
                "GOCACHE": repository.appending(path: ".build/go").path,
            ]
        )
        try #require(build.status == 0, "\(build.errors)")
        return folder.path("client")
    }

    /// Makes the messages of some protos for Python.
    static func generatePython(_ names: [String], in folder: TemporaryFolder) async throws {
        let generate = try await RunningProgram.run(
            "/usr/bin/protoc",
            ["-I", protos, "--python_out=\(folder.url.path)"] + names.map { "\(protos)/\($0).proto" }
        )
        try #require(generate.status == 0, "\(generate.errors)")
    }
}
