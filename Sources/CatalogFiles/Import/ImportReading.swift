internal import Catalog
internal import Foundation
internal import MarvelAPI
internal import MarvelDomain

/// The reading phase of an import: it reads files, recognizes their formats, and stages their records.
struct ImportReading {
    /// The maximum length of an attribution in letters, because attributions are sent with every page.
    private static let maximumAttribution = 500

    var report = ImportReport()
    /// The origins of the imported records.
    private(set) var origins: [CatalogOrigin] = []
    /// The catalog files among the inputs, for their pictures.
    var catalogs: [CatalogFileReader] = []
    var totalByteCount = 0

    /// The input that is being read.
    var input = ImportReport.Input(path: "")
    let settings: CatalogImport
    private let staging: ImportStaging
    private let progress: (ImportProgress) throws -> Void
    private var readByteCount = 0
    private var recordsAtLastProgress = 0

    init(_ settings: CatalogImport, into staging: ImportStaging, progress: @escaping (ImportProgress) throws -> Void) {
        self.settings = settings
        self.staging = staging
        self.progress = progress
    }

    mutating func read(_ path: String, _ files: [InputFiles.File]) throws {
        input = ImportReport.Input(path: path)
        if files.isEmpty { report.note("there is no file in it", in: path) }
        for file in files {
            let before = input.recordCount + input.otherPublisherCount + report.problemCount
            do {
                try read(file.path)
            } catch let error as ImportedFileError {
                report.note(error.description, in: file.path)
            }
            if before == input.recordCount + input.otherPublisherCount + report.problemCount {
                report.note("it holds no characters", in: file.path)
            }
            input.fileCount += 1
            readByteCount += file.byteCount
            try tellProgress(file.path, 0, always: true)
        }
        report.inputs.append(input)
    }

    private mutating func read(_ path: String) throws {
        var bytes = try ByteReader(path)
        switch try ImportFormat(&bytes) {
        case .json: try readJSON(JSONValues(bytes), path)
        case .wikia: try readWikia(CSVRows(bytes), path)
        case .catalog: try readCatalog(path)
        }
    }

    mutating func take(_ record: ImportedRecord) throws {
        try staging.add(record)
        input.recordCount += 1
    }

    /// Adds the attribution of a data set to the origins, once.
    mutating func noteOrigin(_ source: ImportSource) {
        noteOrigin(source.attribution(of: URL(filePath: input.path).lastPathComponent))
    }

    /// Adds the attribution of the input to the origins, once.
    mutating func noteOrigin(_ attribution: String) {
        let name = URL(filePath: input.path).lastPathComponent
        noteOrigin(CatalogOrigin(name: name, attribution: attribution, readAt: settings.time))
    }

    mutating func noteOrigin(_ origin: CatalogOrigin) {
        var origin = origin
        origin.attribution = String(origin.attribution.prefix(ImportReading.maximumAttribution))
            .cut(to: CharacterLimits.attributionBytes)
        let isKnown = origins.contains { $0.name == origin.name && $0.attribution == origin.attribution }
        guard !isKnown, origins.count < CatalogOrigin.maximumCount else { return }
        origins.append(origin)
    }

    /// Reports the progress after every 1,000 records. It must be called after each record.
    mutating func tellProgress(_ path: String, _ byteCount: Int, always: Bool = false) throws {
        let recordCount = report.recordCount + input.recordCount
        guard always || recordCount - recordsAtLastProgress >= 1_000 else { return }
        recordsAtLastProgress = recordCount
        try progress(
            .reading(
                path: path,
                byteCount: readByteCount + byteCount,
                totalByteCount: totalByteCount,
                recordCount: recordCount
            )
        )
    }
}
