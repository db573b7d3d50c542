internal import Catalog
internal import Foundation
internal import MarvelDomain
internal import Upstream

/// Recognizes formats by the first bytes.
struct ImportReading {
    /// The maximum in letters. Attributions are sent with every page.
    private static let maximumAttribution = 500

    private(set) var report = ImportReport()
    var merge = ImportMerge()
    private(set) var origins: [CatalogOrigin] = []
    private(set) var catalogs: [CatalogFileReader] = []

    private var input = ImportReport.Input(path: "")
    private var place = (path: "", line: 0)
    /// Whether the origin of the file's characters is noted that have no note of their own.
    private var isOriginNoted = false
    private let settings: CatalogImport
    private let writer: CatalogFileWriter
    private let resources: ResourceReader
    private var documentByteCount = 0
    private let checkpoint: () throws -> Void
    private var stepCount = 0

    init(
        _ settings: CatalogImport,
        writer: CatalogFileWriter,
        checkpoint: @escaping () throws -> Void
    ) throws {
        self.settings = settings
        self.writer = writer
        resources = try ResourceReader()
        self.checkpoint = checkpoint
    }

    mutating func read(_ path: String, _ files: [String]) throws {
        input = ImportReport.Input(path: path)
        if files.isEmpty { report.note("it contains no files", in: path) }
        for file in files {
            let before = input.totalCount + report.problemCount
            do {
                try read(file)
            } catch let problem as ImportProblem {
                report.note(problem.reason, in: file)
            }
            if before == input.totalCount + report.problemCount {
                report.note("it contains no characters and no documents", in: file)
            }
            input.fileCount += 1
            try checkpoint()
        }
        report.inputs.append(input)
    }

    private mutating func read(_ path: String) throws {
        isOriginNoted = false
        var records = try RecordReader(path)
        let start = try records.start()
        let first = start.first { $0 > UInt8(ascii: " ") }
        if start.starts(with: "SQLite format 3\0".utf8) {
            try readCatalog(path)
        } else if start.starts(with: "page_id,name,urlslug,".utf8) {
            try readWikia(records, path)
        } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            while let record = try records.nextValue() {
                place = (path, record.line)
                try reportingProblems { reading in
                    let bytes = try record.bytes.get()
                    try reading.take(ImportedValue(bytes), bytes)
                }
            }
        } else {
            throw ImportProblem(first == nil ? "it is empty" : "its format is not supported")
        }
    }

    // MARK: formats

    private mutating func readWikia(_ records: consuming RecordReader, _ path: String) throws {
        let preset = ImportPreset.wikia
        guard let header = try records.nextRow().map({ try CSVRow.fields($0.bytes.get()) }) else { return }
        // The same data set has a file of DC's characters, with this different header.
        guard !header.contains("YEAR") else { throw ImportProblem("it contains the characters of DC") }
        let columns = Set(preset.columns)
        noteOrigin(preset.attribution)
        while let record = try records.nextRow() {
            place = (path, record.line)
            try reportingProblems { reading in
                let row = try CSVRow.fields(record.bytes.get())
                guard row.count == header.count else {
                    throw ImportProblem("it has \(row.count) fields, the header has \(header.count)")
                }
                var fields: ImportPreset.Fields = [:]
                for (column, text) in zip(header, row) where columns.contains(column) {
                    fields[column] = try CSVRow.unescaped(text, column)
                }
                try reading.stage(try preset.record(fields))
            }
        }
    }

    private mutating func readCatalog(_ path: String) throws {
        let reader: CatalogFileReader
        do throws(CatalogFileError) {
            reader = try CatalogFileReader(path)
        } catch {
            throw ImportProblem(error.description)
        }
        for origin in reader.description.origins { noteOrigin(origin) }
        try reader.withCharacters { characters in
            for character in characters {
                try stage(ImportedRecord(character: character))
                try step()
            }
        }
        try reader.forEachDocument { document in
            place = (path, 1)
            try reportingProblems { reading in
                try reading.takeDocument(
                    reading.resources.resources(in: Array("[\(document)]".utf8), at: "$").first ?? nil
                )
            }
        }
        try reader.forEachLink { id, other in
            try writer.write { try $0.put(linkFrom: id, to: other) }
            try step()
        }
        if reader.description.pictureCount > 0 { catalogs.append(reader) }
    }

    // MARK: records

    private mutating func reportingProblems(_ take: (inout ImportReading) throws -> Void) throws {
        do {
            try take(&self)
        } catch let problem as ImportProblem {
            report.note(problem.reason, in: place.path, line: place.line)
        }
        try step()
    }

    private mutating func take(_ value: ImportedValue, _ bytes: [UInt8]) throws {
        switch value {
        case .answer(let entries, let attribution, let path):
            noteOrigin(attribution.isEmpty ? GatewayCatalog.defaultAttribution : attribution)
            let found = try resources.resources(in: bytes, at: path)
            guard found.count == entries.count else { throw ImportProblem("its results are ambiguous") }
            for (entry, resource) in zip(entries, found) {
                try reportingProblems { reading in try reading.take(entry, resource) }
            }
        case .character(let entry, let note):
            if let note {
                for origin in note.origins { noteOrigin(origin) }
            } else if !isOriginNoted {
                noteOrigin(GatewayCatalog.defaultAttribution)
            }
            isOriginNoted = true
            let found = try resources.resources(in: [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")], at: "$")
            try take(entry, found.first ?? nil)
        case .superhero(let fields):
            let preset = ImportPreset.superheroAPI
            let publisher = preset.publisher.flatMap { fields[$0] } ?? ""
            guard settings.publisher.map({ $0 == publisher }) ?? true else {
                input.otherPublisherCount += 1
                return
            }
            noteOrigin(preset.attribution)
            try stage(try preset.record(fields))
        case .refused(let problem):
            throw problem
        }
    }

    private mutating func take(_ entry: CharacterEntry?, _ resource: SavedResource?) throws {
        if let resource, resource.summary.id.kind != .characters { return try takeDocument(resource) }
        guard let character = entry?.character(hiding: nil) else {
            throw ImportProblem("a character has no name, or no id above 0; or the text is not UTF-8")
        }
        try stage(ImportedRecord(character: character))
        guard let resource, !resource.links.isEmpty else { return }
        try writer.write { try $0.put(linksOf: resource) }
    }

    /// Skips a document with a known id.
    private mutating func takeDocument(_ resource: SavedResource?) throws {
        guard let resource, resource.summary.id.number > 0 else { throw ImportProblem("a document has no id above 0") }
        let byteCount = resource.document.utf8.count
        guard byteCount <= SavedResource.maximumByteCount else {
            throw ImportProblem("a document has more than \(SavedResource.maximumByteCount) bytes")
        }
        let isNew = try writer.write { batch in
            try batch.put(linksOf: resource)
            return try batch.put(documentOf: resource)
        }
        guard isNew else { return input.knownDocumentCount += 1 }
        input.documentCount += 1
        documentByteCount += byteCount
        guard documentByteCount <= StoredCharacters.maximumByteCount,
            report.documentCount + input.documentCount <= SavedResource.maximumCount
        else {
            throw CatalogFileError(
                "there are more than \(SavedResource.maximumCount) documents, or more than "
                    + "\(StoredCharacters.maximumByteCount) bytes of them"
            )
        }
    }

    private mutating func stage(_ record: ImportedRecord) throws {
        var record = record
        record.character = record.character.withinLimits
        try merge.add(record)
        input.recordCount += 1
    }

    // MARK: origins

    private mutating func noteOrigin(_ attribution: String) {
        noteOrigin(CatalogOrigin(name: inputName, attribution: attribution, readAt: settings.time))
    }

    private mutating func noteOrigin(_ origin: CatalogOrigin) {
        var origin = origin
        origin.attribution = String(origin.attribution.prefix(ImportReading.maximumAttribution))
            .cut(to: CharacterLimits.attributionBytes)
        let isKnown = origins.contains { $0.name == origin.name && $0.attribution == origin.attribution }
        guard !isKnown, origins.count < CatalogOrigin.maximumCount else { return }
        origins.append(origin)
    }

    private var inputName: String { URL(filePath: input.path).lastPathComponent }

    /// Call it after each record and each link.
    private mutating func step() throws {
        stepCount += 1
        if stepCount % 1_000 == 0 { try checkpoint() }
    }
}

/// RFC 4180, without line breaks in fields.
enum CSVRow {
    /// Throws if a quoted field has no end, or text after its end.
    static func fields(_ row: [UInt8]) throws -> [String] {
        guard String(validating: row, as: UTF8.self)?.hasShortMarkRuns == true else {
            throw ImportProblem("it is not valid UTF-8, or has too many combining marks in a row")
        }
        let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
        let unclosed = ImportProblem("unclosed quotation mark")
        var fields: [String] = []
        var rest = row[...]
        while true {
            var field: [UInt8] = []
            if rest.first == quote {
                // A doubled quotation mark stands for one: the text continues after it.
                var parts: [ArraySlice<UInt8>] = []
                while rest.first == quote {
                    guard let end = rest.dropFirst().firstIndex(of: quote) else { throw unclosed }
                    parts.append(rest[..<end].dropFirst())
                    rest = rest[end...].dropFirst()
                }
                field = Array(parts.joined(separator: [quote]))
                guard rest.isEmpty || rest.first == comma else { throw unclosed }
            } else {
                field += rest.prefix { $0 != comma }
                rest = rest[(rest.startIndex + field.count)...]
            }
            fields.append(String(decoding: field, as: UTF8.self))
            guard !rest.isEmpty else { return fields }
            rest = rest.dropFirst()
        }
    }

    /// The data set's fields still have the escapes of JSON strings.
    static func unescaped(_ text: String, _ column: String) throws -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        guard let text = try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8)) else {
            throw ImportProblem("\(column) has an invalid escape")
        }
        return text
    }
}
