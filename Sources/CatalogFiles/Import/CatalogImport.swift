internal import Catalog
internal import Foundation
package import MarvelDomain

/// Makes a catalog file from what people have: saved answers of the API, other data sets, exports, catalog files.
///
/// Every record is read once and put aside on disk; when all are there, those that are one character are put together.
/// So the order of the files decides whose text counts, and nothing else.
package struct CatalogImport: Sendable {
    /// Of superhero-api's characters, those of this publisher are taken. Nil: of all.
    package var publisher: String? = "Marvel Comics"
    /// Whether a catalog that is there may be replaced.
    package var isReplacing = false
    /// Now.
    package var time: Timestamp

    package init(time: Timestamp) { self.time = time }

    /// - Parameters:
    ///   - paths: Files and folders.
    ///   - target: Where the catalog goes.
    ///   - progress: Told now and then how far it is. What it throws ends the import.
    /// - Returns: What was taken. Its `catalog` is nil, and none was made, if that was nothing.
    /// - Throws: `CatalogFileError` if a path is none or the catalog cannot be made; what was at `target` is as it was.
    package func run(
        _ paths: [String],
        into target: String,
        progress: @escaping (ImportProgress) throws -> Void = { _ in }
    ) throws -> ImportReport {
        let inputs = try paths.map { path throws(CatalogFileError) in (path, try InputFiles.of(path)) }
        if !isReplacing, access(target, F_OK) == 0 { throw FilePlace.exists(target) }
        let writer = try CatalogFileWriter(target, .anew)
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
            throw CatalogImport.told(error, target)
        }
    }

    private func write(
        _ staging: ImportStaging,
        _ count: Int,
        to writer: CatalogFileWriter,
        _ reading: ImportReading,
        _ progress: (ImportProgress) throws -> Void
    ) throws {
        try writer.writeNow { batch in
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

    /// The records are not the operator's file: what happens to them happens to the catalog.
    private static func told(_ error: any Error, _ target: String) -> any Error {
        error is CancellationError ? error : CatalogFileError(writing: target, error)
    }
}
