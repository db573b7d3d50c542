import ArgumentParser
import Catalog
import CatalogFiles
import Foundation
import MarvelDomain
import ProgramSupport
import Upstream

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Creates a catalog file from saved answers of the Marvel API, other data sets, or exports.",
        discussion: """
            It detects these formats by their contents: answers of the API as JSON (one, an array of them, \
            one a line; the same for characters alone), FiveThirtyEight's marvel-wikia-data.csv, superhero-api's \
            all.json, exports and catalog files of marvel-server, and folders of all these.

            Comics, creators, events, series and stories in answers of the API are kept for \
            marvel-gateway, which serves them to old apps.

            If several files have the same character, by id or by name, it is merged: the first file wins, and later \
            ones fill in missing fields. The catalog gets its name only when it is complete. A server that serves the \
            file reloads it automatically.
            """
    )

    @Argument(help: "Files and folders; - is standard input.")
    var files: [String]

    @Option(help: ArgumentHelp("The catalog file to write.", valueName: "catalog"))
    var into: String

    @Flag(help: "Replace an existing catalog. To keep its characters, list it among the input files too.")
    var overwrite = false

    @Option(help: "Import only records of this publisher, if they name one; all imports every publisher.")
    var publisher = "Marvel Comics"

    func run() throws {
        // The handler is installed before reading: a blocking read sees the signal only when input arrives.
        let interrupts = Interrupts(onFirst: { printError("stopping: press Ctrl-C again to stop immediately") })
        var importing = CatalogImport(time: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
        importing.publisher = publisher == "all" ? nil : publisher
        importing.isReplacing = overwrite
        let report: ImportReport
        do {
            report = try importing.run(files, into: into) {
                guard interrupts.status == nil else { throw CancellationError() }
            }
        } catch is CancellationError {
            printError("stopped: no catalog was written")
            throw ExitCode(interrupts.status ?? 130)
        } catch {
            printError("\(error)".escapingControls)
            throw ExitCode.failure
        }
        for line in report.problemLines { printError(line.escapingControls) }
        for line in report.lines(target: into) { print(line.escapingControls) }
        guard report.catalog != nil else { throw ExitCode.failure }
    }
}

extension ImportReport {
    fileprivate var problemLines: [String] {
        let rest = problemCount - problems.count
        return problems + (rest > 0 ? ["and \(rest.grouped) more skipped"] : [])
    }

    fileprivate func lines(target: String) -> [String] {
        var lines = inputs.map { input in
            let files = input.fileCount == 1 ? "" : " in \(input.fileCount.grouped) files"
            let others =
                input.otherPublisherCount == 0
                ? "" : ", and not \(input.otherPublisherCount.grouped) of other publishers (--publisher all)"
            return "\(input.path): took \(input.recordCount.grouped) records\(input.documents)\(files)\(others)"
        }
        lines.append("skipped: \(problemCount.grouped)")
        guard let catalog else { return lines + ["no catalog was written: no record to import"] }
        lines.append("merged: \(mergedByID.grouped) by id, \(mergedByName.grouped) by name")
        let pictures = catalog.pictureCount == 0 ? "" : ", \(catalog.pictureCount.grouped) pictures"
        let documents = catalog.documentCount == 0 ? "" : ", \(catalog.documentCount.grouped) documents"
        lines.append("\(target): \(catalog.characterCount.grouped) characters\(pictures)\(documents)")
        lines.append("attribution: \(catalog.attribution)")
        return lines
    }
}

extension ImportReport.Input {
    fileprivate var documents: String {
        guard documentCount + knownDocumentCount > 0 else { return "" }
        let known = knownDocumentCount == 0 ? "" : " (\(knownDocumentCount.grouped) more had a known id)"
        return " and \(documentCount.grouped) documents\(known)"
    }
}

extension String {
    /// A file may have any name.
    var escapingControls: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints a catalog as text: one JSON object per line, each a character as in the Marvel API.",
        discussion: """
            `marvel-server import` restores the characters from it. Pictures and documents, such as comics, are \
            not part of it.
            """
    )

    @Option(
        help: ArgumentHelp("builtin, synthetic:N, or a catalog file. (default: builtin)", valueName: "catalog"),
        transform: ExportCommand.source
    )
    var catalog = CatalogSource.builtIn

    private static func source(_ text: String) throws -> CatalogSource {
        do {
            return try CatalogSource(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func validate() throws {
        if case .gateway = catalog {
            throw ValidationError("A gateway cannot be exported, only a catalog on this machine.")
        }
    }

    func run() throws {
        let file = try ExportFile(nil, replacing: false)
        do {
            try write(to: file)
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    private func write(to file: ExportFile) throws {
        switch catalog {
        case .builtIn:
            try write(BuiltInCatalog.characters(), [origin("builtin", BuiltInCatalog.attribution)], to: file)
        case .synthetic(let count):
            let origins = [origin("synthetic", SyntheticCharacters.attribution)]
            try write(SyntheticCharacters(count: count), origins, to: file)
        case .file(let path):
            let reader = try CatalogFileReader(path)
            try reader.withCharacters { try write($0, reader.description.origins, to: file) }
        case .gateway:
            break
        }
    }

    private func write(
        _ characters: some Sequence<MarvelCharacter>,
        _ origins: [CatalogOrigin],
        to file: ExportFile
    ) throws {
        var export = CatalogExport(origins: origins)
        for character in characters { try file.write(export.line(character)) }
    }

    private func origin(_ name: String, _ attribution: String) -> CatalogOrigin {
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        return CatalogOrigin(name: name, attribution: attribution, readAt: now)
    }
}
