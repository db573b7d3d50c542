internal import Foundation
package import MarvelDomain
internal import SQLiteFiles
internal import Upstream

/// One JSON object per line, in the API's form. Importing the lines gives the same characters again.
package struct CatalogExport {
    /// The API's value for an unknown date.
    private static let unknownDate = "1969-12-31T19:00:00-0500"

    /// Nil after the first line.
    private var origins: [CatalogOrigin]?

    package init(origins: [CatalogOrigin]) { self.origins = origins }

    /// The line includes its line break.
    package mutating func line(_ character: MarvelCharacter) -> [UInt8] {
        var shown = character
        shown.description = CatalogExport.text(character.description)
        var json = JSONWriter()
        json.character(
            shown,
            modified: CatalogExport.date(character.modified),
            root: "http://gateway.marvel.com/v1/public"
        ) { json in
            guard let origins = origins.take() else { return }
            json.object("catalog") { $0.note(origins) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func date(_ timestamp: Timestamp?) -> String {
        guard let timestamp else { return unknownDate }
        let time = CivilTime(seconds: timestamp.seconds)
        guard time.validSeconds != nil, timestamp.seconds != 0 else { return unknownDate }
        return "\(time.date)T\(time.timeOfDay)+0000"
    }

    /// A reader of the API's HTML gets `plain` back. Most texts are unchanged.
    private static func text(_ plain: String) -> String {
        guard PlainText.paragraph(plain) != plain else { return plain }
        return plain.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case _ where scalar.isASCII: text.unicodeScalars.append(scalar)
            default: text += "&#\(scalar.value);"
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func note(_ origins: [CatalogOrigin]) {
        array("sources", origins) { json, source in
            json.object { json in
                json.field("name", source.name)
                json.field("attribution", source.attribution)
                json.field("readAt", source.readAt.seconds)
            }
        }
    }
}

/// Standard output, or a file that gets its name when it is complete.
package final class ExportFile {
    /// Nil for standard output.
    private let file: PartialFile?
    private let output: UnsafeMutablePointer<FILE>
    private let isReplacing: Bool

    /// A nil `path` means standard output.
    package init(_ path: String?, replacing: Bool) throws(CatalogFileError) {
        if let path, !replacing, access(path, F_OK) == 0 { throw .exists(path) }
        let file = try path.map { path throws(CatalogFileError) in
            do { return try PartialFile(of: path, mode: 0o644) } catch { throw CatalogFileError(writing: path, error) }
        }
        guard let output = file.map({ fopen($0.path, "we") }) ?? fdopen(dup(STDOUT_FILENO), "w") else {
            throw ExportFile.notWritable(file)
        }
        (self.file, self.output, isReplacing) = (file, output, replacing)
    }

    deinit { fclose(output) }

    package func write(_ bytes: [UInt8]) throws(CatalogFileError) {
        guard fwrite(bytes, 1, bytes.count, output) == bytes.count else { throw ExportFile.notWritable(file) }
    }

    /// On an error an existing file is unchanged.
    package func finish() throws(CatalogFileError) {
        guard fflush(output) == 0 else { throw ExportFile.notWritable(file) }
        guard let file else { return }
        do { try file.place(overwriting: isReplacing) } catch { throw CatalogFileError(writing: file.target, error) }
    }

    package func discard() { file?.remove() }

    private static func notWritable(_ file: PartialFile?) -> CatalogFileError {
        let reason = String(cString: strerror(errno))
        return CatalogFileError("cannot write \(file?.target ?? "standard output"): \(reason)")
    }
}

/// A note in the first line of an export, under a key that the API does not use.
struct ExportNote: Decodable, Sendable, Hashable {
    struct Source: Decodable, Sendable, Hashable {
        var name: String
        var attribution: String
        /// Since 1970-01-01T00:00:00Z.
        var readAt: Int64
    }

    var sources: [Source]

    var origins: [CatalogOrigin] {
        sources.map {
            CatalogOrigin(name: $0.name, attribution: $0.attribution, readAt: Timestamp(seconds: $0.readAt))
        }
    }
}
