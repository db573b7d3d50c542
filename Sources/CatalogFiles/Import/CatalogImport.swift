internal import Catalog
internal import Foundation
package import MarvelDomain

/// Reads all records, then merges those of each character. The order of the files only decides whose values win.
package struct CatalogImport: Sendable {
    static let standardInput = "/dev/stdin"

    /// Nil for all publishers.
    package var publisher: String? = "Marvel Comics"
    package var isReplacing = false
    package var time: Timestamp

    package init(time: Timestamp) { self.time = time }

    /// `-` is standard input. `checkpoint` is called often, and may end the import by an error. The report's `catalog`
    /// is nil, and no catalog was written, if nothing could be imported. On an error `target` is unchanged.
    package func run(
        _ paths: [String],
        into target: String,
        checkpoint: @escaping () throws -> Void = {}
    ) throws -> ImportReport {
        let inputs = try paths.map { path throws(CatalogFileError) in (path, try CatalogImport.files(of: path)) }
        if !isReplacing, access(target, F_OK) == 0 { throw CatalogFileError.exists(target) }
        let writer = try CatalogFileWriter(target)
        do {
            var reading = try ImportReading(self, writer: writer, checkpoint: checkpoint)
            for (path, files) in inputs { try reading.read(path, files) }
            var report = reading.report
            guard report.recordCount > 0 || report.documentCount > 0 else {
                writer.discard()
                return report
            }
            report.mergedByName = try reading.merge.assignIDs(checkpoint)
            report.mergedByID = report.recordCount - reading.merge.characterCount - report.mergedByName
            try write(reading, to: writer, checkpoint)
            try writer.finish(at: time, replacing: isReplacing)
            report.catalog = try CatalogFileReader(target).description
            return report
        } catch {
            writer.discard()
            throw error
        }
    }

    private func write(
        _ reading: ImportReading,
        to writer: CatalogFileWriter,
        _ checkpoint: () throws -> Void
    ) throws {
        try writer.write { batch in
            for origin in reading.origins { try batch.add(origin) }
            var written = 0
            try reading.merge.forEachCharacter { character in
                try batch.put(character)
                written += 1
                if written % 1_000 == 0 { try checkpoint() }
            }
            for catalog in reading.catalogs {
                try catalog.forEachPicture { id, variant, picture in
                    if try !batch.variants(of: id).contains(variant) { try batch.put(picture, of: id, variant) }
                }
            }
            try checkpoint()
        }
    }

    /// Lists all files in a folder and its subfolders, by name.
    private static func files(of path: String) throws(CatalogFileError) -> [String] {
        guard path != "-" else { return [standardInput] }
        guard access(path, F_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CatalogFileError("\(path) cannot be read: \(reason)")
        }
        guard isFolder(path) else { return [path] }
        // Links to folders are not followed, because they may form a cycle.
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }.filter { !isFolder($0) }.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

package struct ImportReport: Sendable, Hashable {
    /// Further problems are only counted.
    package static let maximumProblems = 20

    package struct Input: Sendable, Hashable {
        package var path: String
        package var fileCount = 0
        package var recordCount = 0
        /// Comics, creators, events, series and stories.
        package var documentCount = 0
        package var knownDocumentCount = 0
        package var otherPublisherCount = 0

        init(path: String) { self.path = path }

        /// Valid ones, imported or not.
        var totalCount: Int { recordCount + documentCount + knownDocumentCount + otherPublisherCount }
    }

    package var inputs: [Input] = []
    /// Each problem has file, line and reason.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0
    package var mergedByID = 0
    package var mergedByName = 0
    package var catalog: CatalogDescription?

    package var recordCount: Int { inputs.reduce(0) { $0 + $1.recordCount } }
    package var documentCount: Int { inputs.reduce(0) { $0 + $1.documentCount } }

    mutating func note(_ reason: String, in path: String, line: Int? = nil) {
        problemCount += 1
        guard problems.count < ImportReport.maximumProblems else { return }
        problems.append("\(path)\(line.map { ":\($0)" } ?? ""): \(reason)")
    }
}
