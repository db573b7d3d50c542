import Foundation
import Glibc
import ProgramSupport
import Testing

/// The file of a result, in a folder of its own.
struct ResultFileTests {
    private let folder = URL.temporaryDirectory.appending(path: "result-\(UUID().uuidString)")

    private var path: String { folder.appending(path: "result").path }

    private func text(_ path: String) throws -> String {
        String(decoding: try InputFile.read(path, maximum: 100), as: UTF8.self)
    }

    private func inFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body()
    }

    @Test func aLinkIsKept() throws {
        try inFolder {
            let target = folder.appending(path: "target").path
            try ResultFile.write(Array("old and longer".utf8), to: target)
            #expect(symlink(target, path) == 0)
            try ResultFile.write(Array("new".utf8), to: path)
            #expect(try text(target) == "new")
        }
    }

    @Test(arguments: [
        ("/dev/full", "No space left on device"), ("/nowhere/result", "No such file or directory"),
        ("/", "Is a directory"),
    ])
    func aFailureIsReported(_ path: String, _ reason: String) {
        let error = #expect(throws: ResultFile.Failure.self) { try ResultFile.write([1], to: path) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
