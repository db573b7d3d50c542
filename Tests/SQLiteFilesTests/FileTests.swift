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

    @Test func aChangeOfTheContentsKeepsTheIdentity() throws {
        try inFolder { folder in
            let path = "\(folder)/file"
            write("a", to: path)
            let identity = FileIdentity(path: path)
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.write(contentsOf: Data("abc".utf8))
            try handle.close()
            #expect(FileIdentity(path: path) == identity)
            #expect(FileIdentity(path: folder + "/absent") == nil)
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

    @Test func aPartialFileIsLockedUntilItIsPlacedOrRemoved() throws {
        try inFolder { folder in
            let target = "\(folder)/target"
            let removed = try PartialFile(of: target)
            #expect(throws: PartialFile.Failure.system("another program is writing \(removed.path)")) {
                try PartialFile(of: target)
            }
            removed.remove()
            do { _ = try PartialFile(of: target) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            for overwriting in [false, true] {
                let placed = try PartialFile(of: target)
                if overwriting {
                    #expect(throws: PartialFile.Failure.targetExists) { try placed.place(overwriting: false) }
                }
                try placed.place(overwriting: overwriting)
                placed.remove()
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["target"])
            }
        }
    }

    /// It may belong to anybody.
    @Test(arguments: [false, true]) func anotherFileWithTheNameOfAPartialOneStays(_ isLink: Bool) throws {
        try inFolder { folder in
            let (target, notes) = ("\(folder)/target", "\(folder)/notes")
            let path = "\(FilePath.resolved(target)).partial-\(getpid())"
            write("notes", to: isLink ? notes : path)
            if isLink { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: notes) }
            let error = #expect(throws: PartialFile.Failure.self) { try PartialFile(of: target) }
            #expect(error == .system("\(path) already exists: remove it"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "notes")
        }
    }

    @Test(arguments: [nil, 7] as [Int32?]) func aTargetOfAnotherKindStays(_ applicationID: Int32?) throws {
        try inFolder { folder in
            let (store, fifo) = ("\(folder)/store", "\(folder)/fifo")
            do { try Database(store).execute("PRAGMA application_id = 8; CREATE TABLE a(b);") }
            let other = PartialFile.Failure.system("it is a database of another kind")
            #expect(throws: other) { try PartialFile(of: store, applicationID: applicationID) }
            #expect(mkfifo(fifo, 0o600) == 0)
            for target in [fifo, folder] {
                let error = PartialFile.Failure.system("it is not a regular file")
                #expect(throws: error) { try PartialFile(of: target, applicationID: applicationID) }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["fifo", "store"])
            do { _ = try PartialFile(of: store, applicationID: 8) }
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
