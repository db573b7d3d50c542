internal import Glibc
internal import Load
internal import ProgramSupport
internal import Terminal

/// A file that a command writes.
enum ResultFile {
    /// Checks that a file can be written or created, and changes nothing.
    static func check(_ path: String) throws(Failure) {
        var status = stat()
        let exists = stat(path, &status) == 0
        let isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard !isFolder, access(exists ? path : folder, exists ? W_OK : W_OK | X_OK) == 0 else {
            throw Failure(path, String(cString: strerror(isFolder ? EISDIR : errno)))
        }
    }

    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        do throws(OutputError) {
            try FileOutput(descriptor: descriptor).write(bytes)
        } catch {
            throw Failure(path, error.description)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String

        init(_ path: String, _ reason: String) { (self.path, self.reason) = (path, reason) }

        var description: String { "\(path) cannot be written: \(reason)" }
    }
}

struct ReportFiles {
    var html: String?
    var csv: String?
    var hgrm: String?

    private var paths: [String] { [html, csv, hgrm].compactMap(\.self) }

    var standardOutputCount: Int { paths.count { $0 == "-" } }

    /// Checks before the test that each file can be written, so that no result is lost after the test.
    func check() throws { for path in paths where path != "-" { try ResultFile.check(path) } }

    func write(_ report: LoadReport, standardOutput: any TextOutput) throws {
        for (path, text) in [(html, \LoadReport.html), (csv, \.csv), (hgrm, \.hgrm)] {
            guard let path else { continue }
            let bytes = Array(report[keyPath: text].utf8)
            if path == "-" { try standardOutput.write(bytes) } else { try ResultFile.write(bytes, to: path) }
        }
    }
}
