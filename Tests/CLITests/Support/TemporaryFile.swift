import ChildProcesses
import Foundation
import Glibc
import ProgramSupport

enum TemporaryFile {
    /// Gives `body` a file with that text, and removes it afterwards.
    static func with(_ text: String, _ body: (String) async throws -> Void) async throws {
        var template = Array("\(NSTemporaryDirectory())/marvel-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ChildProcessError(call: "mkstemp", number: errno) }
        close(descriptor)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(path) }
        try ResultFile.write(Array(text.utf8), to: path)
        try await body(path)
    }
}
