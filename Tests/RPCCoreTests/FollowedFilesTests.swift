import Foundation
import RPCCore
import Testing

@Suite struct FollowedFilesTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "changes-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func write(_ text: String, to path: String) {
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    }

    /// Reads the files if they have to be read.
    private func read(_ files: inout FollowedFiles) -> Bool {
        guard let version = files.versionToRead else { return false }
        files.wereRead(version)
        return true
    }

    @Test func eachChangeOfOneFileIsReadOnce() throws {
        try inFolder { folder in
            let paths = ["\(folder)/a", "\(folder)/b"]
            for path in paths { write("a", to: path) }
            var files = FollowedFiles(paths)
            #expect(!read(&files))
            let changes = [
                { write("longer", to: paths[1]) },
                { #expect(chmod(paths[0], 0o600) == 0) },
                { #expect(rename(paths[0], paths[1]) == 0) },
                { #expect(unlink(paths[1]) == 0) },
            ]
            for change in changes {
                change()
                #expect(read(&files))
                #expect(!read(&files))
            }
        }
    }

    @Test func aFailedReadIsDueAgainAndReportedOnce() throws {
        try inFolder { folder in
            let path = "\(folder)/file"
            var files = FollowedFiles([path])
            write("a", to: path)
            for (reason, isNew) in [("EMFILE", true), ("EMFILE", false), ("EIO", true)] {
                let version = try #require(files.versionToRead)
                let reported = files.failed(version, reason: reason)
                #expect(reported == isNew)
                #expect(files.hasFailed)
            }
            write("other", to: path)
            let version = try #require(files.versionToRead)
            let isNew = files.failed(version, reason: "EIO")
            #expect(isNew)
            #expect(read(&files))
            #expect(!read(&files))
            #expect(!files.hasFailed)
        }
    }

    @Test func aChangeDuringAReadIsReadAgain() throws {
        try inFolder { folder in
            let path = "\(folder)/file"
            var files = FollowedFiles([path])
            write("a", to: path)
            let version = try #require(files.versionToRead)
            write("other", to: path)
            files.wereRead(version)
            #expect(files.versionToRead != nil)
        }
    }
}
