internal import Catalog
internal import Foundation
internal import MarvelAPI
internal import MarvelDomain

/// Reads files one after another, recognizes what they are, and puts aside what they hold.
struct ImportReading {
    /// In letters. The lines go with every page that is served.
    private static let maximumAttribution = 500

    var report = ImportReport()
    /// Where what was taken is from.
    private(set) var origins: [CatalogOrigin] = []
    /// The catalog files among the inputs, for their pictures.
    var catalogs: [CatalogFileReader] = []
    var totalByteCount = 0

    /// What is being read.
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

    /// Notes the line to show with what is taken of a data set, once.
    mutating func noteOrigin(_ source: ImportSource) {
        noteOrigin(source.attribution(of: URL(filePath: input.path).lastPathComponent))
    }

    /// Notes the line to show with what is taken from the input, once.
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

    /// To be called with each record; it tells each thousandth.
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
