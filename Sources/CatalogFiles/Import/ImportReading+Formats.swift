internal import Catalog
internal import MarvelAPI
internal import MarvelDomain
internal import Upstream

extension ImportReading {
    mutating func readJSON(_ values: consuming JSONValues, _ path: String) throws {
        while let found = try values.next() {
            switch found {
            case .broken(let reason, let line):
                report.note(reason, in: path, line: line)
            case .value(let bytes, let line):
                try take(ImportedValue(bytes), path, line)
            }
            try tellProgress(path, values.readCount)
        }
    }

    private mutating func take(_ value: ImportedValue, _ path: String, _ line: Int) throws {
        switch value {
        case .answer(let entries, let attribution):
            noteOrigin(attribution.isEmpty ? GatewayCatalog.defaultAttribution : attribution)
            for entry in entries { try take(entry, path, line) }
        case .character(let entry, let note):
            if let note {
                for origin in note.origins { noteOrigin(origin) }
            } else if input.recordCount == 0 {
                noteOrigin(GatewayCatalog.defaultAttribution)
            }
            try take(entry, path, line)
        case .superhero(let entry):
            guard settings.publisher.map({ $0 == entry.publisher }) ?? true else {
                input.otherPublisherCount += 1
                return
            }
            noteOrigin(ImportSource.superheroAPI)
            input.noteDropped(entry.droppedFields)
            try take(Result { () throws(RefusedRecord) in try entry.record() }, path, line)
        case .list(let entry):
            guard settings.publisher.map({ $0 == entry.publisher ?? $0 }) ?? true else {
                input.otherPublisherCount += 1
                return
            }
            let source = ImportSource.list(report.inputs.count)
            noteOrigin(source)
            input.noteDropped(entry.droppedFields)
            input.listCount += 1
            try take(Result { () throws(RefusedRecord) in try entry.record(of: source) }, path, line)
        case .refused(let reason):
            report.note(reason, in: path, line: line)
        }
    }

    private mutating func take(_ entry: CharacterEntry?, _ path: String, _ line: Int) throws {
        guard let character = entry?.character(hiding: nil) else {
            report.note("a character has no id above 0, or no name", in: path, line: line)
            return
        }
        try take(ImportedRecord(character: character))
    }

    private mutating func take(_ record: Result<ImportedRecord, RefusedRecord>, _ path: String, _ line: Int) throws {
        switch record {
        case .success(let record): try take(record)
        case .failure(let refused): report.note(refused.reason, in: path, line: line)
        }
    }

    mutating func readWikia(_ rows: consuming CSVRows, _ path: String) throws {
        guard case .row(let header, _) = try rows.next() else {
            throw ImportedFileError.notRecognized("its header is broken")
        }
        let columns = try WikiaColumns(header)
        noteOrigin(ImportSource.wikia)
        while let found = try rows.next() {
            switch found {
            case .broken(let reason, let line):
                report.note(reason, in: path, line: line)
            case .row(let row, let line):
                input.noteDropped(columns.droppedColumns)
                try take(Result { () throws(RefusedRecord) in try columns.record(row) }, path, line)
            }
            try tellProgress(path, rows.readCount)
        }
    }

    mutating func readCatalog(_ path: String) throws {
        let reader: CatalogFileReader
        do throws(CatalogFileError) {
            reader = try CatalogFileReader(path)
        } catch {
            throw ImportedFileError.notRecognized(error.message)
        }
        for origin in reader.description.origins { noteOrigin(origin) }
        try reader.withCharacters { characters in
            for character in characters {
                try take(ImportedRecord(character: character))
                try tellProgress(path, 0)
            }
        }
        if reader.description.pictureCount > 0 { catalogs.append(reader) }
    }
}
