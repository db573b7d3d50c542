internal import Catalog
internal import Foundation
package import MarvelDomain

/// An import of saved API answers, other data sets, exports and catalog files into a new catalog file.
///
/// Every record is read once and staged on disk. After all are staged, the records of each character are merged. The
/// order of the files only decides whose values win.
package struct CatalogImport: Sendable {
    /// The publisher whose records are imported from data sets with publishers; nil for all publishers.
    package var publisher: String? = "Marvel Comics"
    /// Whether an existing catalog may be replaced.
    package var isReplacing = false
    /// The current time.
    package var time: Timestamp

    package init(time: Timestamp) { self.time = time }

    /// Imports files.
    ///
    /// - Parameters:
    ///   - paths: The files and folders to import.
    ///   - target: The path of the new catalog.
    ///   - progress: Called with the progress from time to time. An error that it throws ends the import.
    /// - Returns: The report. Its `catalog` is nil, and no catalog was written, if nothing could be imported.
    /// - Throws: `CatalogFileError` if a path does not exist or the catalog cannot be written. Then the file at
    ///   `target` has not changed.
    package func run(
        _ paths: [String],
        into target: String,
        progress: @escaping (ImportProgress) throws -> Void = { _ in }
    ) throws -> ImportReport {
        let inputs = try paths.map { path throws(CatalogFileError) in (path, try InputFiles.of(path)) }
        if !isReplacing, access(target, F_OK) == 0 { throw AtomicFile.exists(target) }
        let writer = try CatalogFileWriter(target)
        do {
            let staging = try ImportStaging(writer.target + ".records")
            defer { staging.close() }
            var reading = ImportReading(self, into: staging, progress: progress)
            reading.totalByteCount = inputs.reduce(0) { $0 + $1.1.reduce(0) { $0 + $1.byteCount } }
            for (path, files) in inputs { try reading.read(path, files) }
            var report = reading.report
            guard report.recordCount > 0 else {
                writer.discard()
                return report
            }
            report.mergedByName = try staging.assignIDs()
            let count = try staging.characterCount()
            report.mergedByID = report.recordCount - count - report.mergedByName
            try write(staging, count, to: writer, reading, progress)
            try writer.finish(at: time, replacing: isReplacing)
            report.catalog = try CatalogFileReader(target).description
            return report
        } catch {
            writer.discard()
            throw CatalogImport.importError(error, target)
        }
    }

    private func write(
        _ staging: ImportStaging,
        _ count: Int,
        to writer: CatalogFileWriter,
        _ reading: ImportReading,
        _ progress: (ImportProgress) throws -> Void
    ) throws {
        try writer.write { batch in
            for origin in reading.origins { try batch.add(origin) }
            var written = 0
            try staging.forEachCharacter { character in
                try batch.put(character)
                written += 1
                if written % 1_000 == 0 { try progress(.writing(characterCount: written, totalCharacterCount: count)) }
            }
            for catalog in reading.catalogs {
                try catalog.forEachPicture { id, variant, picture in
                    if try !batch.variants(of: id).contains(variant) { try batch.put(picture, of: id, variant) }
                }
            }
            try progress(.writing(characterCount: written, totalCharacterCount: count))
        }
    }

    /// Converts an error of the staged records to an error of the catalog, because the operator does not know the
    /// former.
    private static func importError(_ error: any Error, _ target: String) -> any Error {
        error is CancellationError ? error : CatalogFileError(writing: target, error)
    }
}
