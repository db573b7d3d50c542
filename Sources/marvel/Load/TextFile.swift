internal import Glibc
internal import Load
internal import ProgramSupport
internal import Terminal

enum TextFile {
    struct Failure: Error {
        var reason: String
    }

    /// `-` is standard input.
    ///
    /// - Throws: `Failure` if the file cannot be read, is too large, or is not text.
    static func read(_ path: String, maximumByteCount: Int) throws(Failure) -> String {
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            bytes = try InputFile.read(path, maximum: maximumByteCount)
        } catch {
            throw Failure(reason: error.reason)
        }
        guard bytes.count <= maximumByteCount else {
            throw Failure(reason: "it is longer than \(maximumByteCount) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(reason: "it is not valid UTF-8")
        }
        return text
    }

    /// Checks that a file can be written or created, and changes nothing.
    static func checkWritable(_ path: String) throws(Failure) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR { throw Failure(reason: String(cString: strerror(EISDIR))) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(exists ? path : folder, exists ? W_OK : W_OK | X_OK) == 0 else {
            throw Failure(reason: String(cString: strerror(errno)))
        }
    }

    static func write(_ text: String, to path: String) throws(Failure) {
        try write(Array(text.utf8), to: path)
    }

    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        do throws(OutputError) {
            try FileOutput(descriptor: descriptor).write(bytes)
        } catch {
            throw Failure(reason: error.description)
        }
    }
}

struct ReportFiles {
    var html: String?
    var csv: String?
    var hgrm: String?

    private var paths: [String] { [html, csv, hgrm].compactMap(\.self) }

    var standardOutputCount: Int { paths.count { $0 == "-" } }

    /// Checks before the test that each file can be written, so that no result is lost after the test.
    func check() throws {
        for path in paths where path != "-" {
            try attempt(path) { () throws(TextFile.Failure) in try TextFile.checkWritable(path) }
        }
    }

    func write(_ report: LoadReport, standardOutput: any TextOutput) throws {
        if let html { try write(report.html, to: html, standardOutput) }
        if let csv { try write(report.csv, to: csv, standardOutput) }
        if let hgrm { try write(report.hgrm, to: hgrm, standardOutput) }
    }

    private func write(_ text: String, to path: String, _ standardOutput: any TextOutput) throws {
        if path == "-" { return try standardOutput.write(text) }
        try attempt(path) { () throws(TextFile.Failure) in try TextFile.write(text, to: path) }
    }

    private func attempt(_ path: String, _ work: () throws(TextFile.Failure) -> Void) throws {
        do throws(TextFile.Failure) {
            try work()
        } catch {
            throw LoadError.cannotWrite(path: path, reason: error.reason)
        }
    }
}
