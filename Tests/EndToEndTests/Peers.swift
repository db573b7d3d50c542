import Foundation

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
}
