import Foundation
import SQLiteFiles
import Testing

@Suite struct FileTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func write(_ text: String, to path: String) {
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    }

    @Test func aMovedFileKeepsItsIdentityAndAReplacedOneDoesNot() throws {
        try inFolder { folder in
            let (old, new) = ("\(folder)/old", "\(folder)/new")
            write("a", to: old)
            let identity = try #require(FileIdentity(path: old))
            try FileManager.default.moveItem(atPath: old, toPath: new)
            #expect(FileIdentity(path: new) == identity)
            #expect(FileIdentity(path: old) == nil)
            write("a", to: old)
            #expect(FileIdentity(path: old) != identity)
        }
    }

    @Test func aChangeOfTheContentsIsAnotherVersionOfTheSameFile() throws {
        try inFolder { folder in
            let path = "\(folder)/file"
            write("a", to: path)
            let (identity, version) = (FileIdentity(path: path), FileVersion(path: path))
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.write(contentsOf: Data("abc".utf8))
            try handle.close()
            #expect(FileIdentity(path: path) == identity)
            #expect(FileVersion(path: path) != version)
            #expect(FileVersion(path: folder + "/absent") == nil)
        }
    }

    @Test func aFileIsLockedOnce() throws {
        try inFolder { folder in
            let path = "\(folder)/lock"
            #expect(throws: LockedFile.Failure.isAbsent) { try LockedFile(path, creating: false) }
            let file = try LockedFile(path, creating: true)
            #expect(file.isNew)
            #expect(throws: LockedFile.Failure.isLocked) { try LockedFile(path, creating: true) }
            file.close()
            let again = try LockedFile(path, creating: false)
            #expect(!again.isNew)
            again.close()
        }
    }

    @Test func linksLeadToOnePathAlsoOfAFileThatIsNotThere() throws {
        try inFolder { folder in
            let folder = FilePath.resolved(folder)
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "target")
            #expect(FilePath.resolved("\(folder)/link") == "\(folder)/target")
            write("a", to: "\(folder)/target")
            #expect(FilePath.resolved("\(folder)/link") == "\(folder)/target")
        }
    }
}
