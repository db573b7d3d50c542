import ArgumentParser
import Catalog
import CatalogFiles
import Foundation
import MarvelDomain
import Upstream

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
