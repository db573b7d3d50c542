internal import Load
internal import Terminal

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
