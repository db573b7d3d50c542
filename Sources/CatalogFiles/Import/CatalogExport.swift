internal import MarvelAPI
package import MarvelDomain

/// An encoder of a catalog as text: one JSON object a line, each a character in the API's form.
///
/// Programs that read the API's answers can read these lines. Importing them gives the same characters again.
package struct CatalogExport {
    /// The date that the API uses if a date is unknown.
    private static let unknownDate = "1969-12-31T19:00:00-0500"

    /// The note on the origins, which is part of the first line; nil afterwards.
    private var note: ExportNote?

    /// - Parameter origins: The sources of the characters, with the lines that must be shown with them.
    package init(origins: [CatalogOrigin]) { note = ExportNote(origins) }

    /// Encodes one character as a line, with its line break.
    package mutating func line(_ character: MarvelCharacter) -> [UInt8] {
        var shown = character
        shown.description = CatalogExport.text(character.description)
        var json = JSONWriter()
        json.character(
            shown,
            modified: CatalogExport.date(character.modified),
            resource: "http://gateway.marvel.com/v1/public/characters/\(character.id)"
        ) { json in
            guard let note = note.take() else { return }
            json.object("catalog") { $0.note(note) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func date(_ timestamp: Timestamp?) -> String {
        guard let timestamp else { return unknownDate }
        let time = CivilTime(seconds: timestamp.seconds)
        guard time.validSeconds != nil, timestamp.seconds != 0 else { return unknownDate }
        return "\(time.date)T\(time.timeOfDay)+0000"
    }

    /// Escapes a text, so that it is `plain` when it is read as a text of the API, which may contain HTML. Nearly
    /// always it is unchanged.
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
    fileprivate mutating func note(_ note: ExportNote) {
        array("sources", note.sources) { json, source in
            json.object { json in
                json.field("name", source.name)
                json.field("attribution", source.attribution)
                json.field("readAt", source.readAt)
            }
        }
    }
}
