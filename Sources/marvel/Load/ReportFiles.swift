internal import LoadEngine

/// The files that a report is written to.
struct ReportFiles {
    var html: String?
    var csv: String?
    var hgrm: String?

    /// Finds out before the test that a file cannot be written, not after it.
    func prepare() throws {
        for path in [html, csv, hgrm].compactMap(\.self) {
            try attempt(path) { () throws(TextFile.Failure) in try TextFile.prepare(path) }
        }
    }

    func write(_ report: LoadReport) throws {
        if let html { try attempt(html) { () throws(TextFile.Failure) in try TextFile.write(report.html, to: html) } }
        if let csv { try attempt(csv) { () throws(TextFile.Failure) in try TextFile.write(report.csv, to: csv) } }
        if let hgrm { try attempt(hgrm) { () throws(TextFile.Failure) in try TextFile.write(report.hgrm, to: hgrm) } }
    }

    private func attempt(_ path: String, _ work: () throws(TextFile.Failure) -> Void) throws {
        do throws(TextFile.Failure) {
            try work()
        } catch {
            throw LoadError.cannotWrite(path: path, reason: error.reason)
        }
    }
}
