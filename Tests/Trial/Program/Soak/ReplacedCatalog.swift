import Catalog
import CatalogFiles
import Foundation
import Glibc
import MarvelClient
import MarvelDomain

/// Two catalog files that take each other's place.
struct ReplacedCatalog: Sendable {
    /// The file that is served.
    let path: String
    private let sources: [String]

    /// Makes both files, of the built-in characters. Their pictures are those of a gateway.
    ///
    /// - Parameters:
    ///   - folder: For the files.
    ///   - gateway: Where its pictures are.
    /// - Throws: If a file cannot be written.
    init(in folder: String, gateway: ServerAddress) throws {
        path = folder + "/catalog"
        sources = [path + "-a", path + "-b"]
        for (number, source) in sources.enumerated() {
            let writer = try CatalogFileWriter(source)
            try writer.write { batch in
                for character in ReplacedCatalog.characters(number, gateway) { try batch.put(character) }
            }
            try writer.finish(at: Timestamp(seconds: 1_700_000_000 + Int64(number)), replacing: true)
        }
        try replace(with: 0)
    }

    /// Renames a copy over the file that is served.
    func replace(with number: Int) throws {
        let copy = path + "-new"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: sources[number % sources.count], toPath: copy)
        guard rename(copy, path) == 0 else { throw RunError("rename: \(errno)") }
    }

    /// The characters of the two files differ in the descriptions of all but the first hundred, which are those that
    /// lists hold.
    private static func characters(_ number: Int, _ gateway: ServerAddress) -> [MarvelCharacter] {
        BuiltInCatalog.characters().enumerated().map { position, character in
            var character = character
            character.thumbnail = Thumbnail(path: "http://\(gateway)/emblem/\(character.id)", fileExtension: "png")
            if position >= 100 { character.description = "Number \(position) of catalog \(number)." }
            return character
        }
    }
}
