import ChildProcesses
import Glibc
import ProgramSupport
import Testing

struct ResultFileTests {
    @Test func aLinkIsKept() throws {
        let folder = try TemporaryFolder()
        let target = try folder.file("target", "old and longer")
        #expect(symlink(target, folder.path("result")) == 0)
        try ResultFile.write(Array("new".utf8), to: folder.path("result"))
        #expect(try InputFile.text(target, maximum: 100) == "new")
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
