internal import MarvelAPI
internal import MarvelDomain

/// One value of a JSON file, recognized by its keys.
enum ImportedValue: Decodable {
    /// An answer of the API, or a part of it.
    case answer(entries: [CharacterEntry?], attribution: String)
    /// A character in the API's form. The first character of an export has a note on the origins of all.
    case character(CharacterEntry, ExportNote?)
    case superhero(SuperheroEntry)
    /// A character from a list of no known format.
    case list(ListEntry)
    case refused(String)

    private enum Key: String, CodingKey {
        case data, results, code, status, message, powerstats, biography, catalog
        case resourceURI, thumbnail, comics, series, stories, events, urls
    }

    /// - Parameter bytes: One value of JSON.
    init(_ bytes: [UInt8]) {
        do throws(JSONObject.Refusal) {
            let maximum = JSONValues.maximumByteCount
            self = try JSONObject.decode(ImportedValue.self, from: bytes, maximumByteCount: maximum)
        } catch {
            self = .refused(error.description)
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if fields.contains(.data) {
            let wrapper = try CharacterDataWrapper(from: decoder)
            self = .answer(entries: wrapper.data.results, attribution: wrapper.attribution)
        } else if fields.contains(.results) {
            let data = try CharacterDataWrapper.Container(from: decoder)
            self = .answer(entries: data.results, attribution: "")
        } else if fields.contains(.powerstats) || fields.contains(.biography) {
            self = .superhero(try SuperheroEntry(from: decoder))
        } else if ImportedValue.isOfTheAPI(fields) {
            self = .character(try CharacterEntry(from: decoder), fields.lenient(ExportNote.self, .catalog))
        } else if ListEntry.describes(try FieldNames(from: decoder).names) {
            self = .list(try ListEntry(from: decoder))
        } else if fields.contains(.code), fields.contains(.status) || fields.contains(.message) {
            self = .refused("it is an error that the API answered")
        } else {
            self = .refused("it is neither an answer of the API nor a character")
        }
    }

    /// Returns whether a character has the API's form, and so Marvel's id. An id and a name alone are no evidence.
    private static func isOfTheAPI(_ fields: KeyedDecodingContainer<Key>) -> Bool {
        fields.contains(.resourceURI) || (try? fields.nestedUnkeyedContainer(forKey: .urls)) != nil
            || [Key.thumbnail, .comics, .series, .stories, .events].contains { key in
                (try? fields.nestedContainer(keyedBy: Key.self, forKey: key)) != nil
            }
    }
}

/// The note on origins in the first line of an export, under a key that the API does not use.
struct ExportNote: Decodable, Sendable, Hashable {
    struct Source: Decodable, Sendable, Hashable {
        var name: String
        var attribution: String
        /// The seconds since 1970-01-01T00:00:00Z.
        var readAt: Int64
    }

    var sources: [Source]

    init(_ origins: [CatalogOrigin]) {
        sources = origins.map { Source(name: $0.name, attribution: $0.attribution, readAt: $0.readAt.seconds) }
    }

    var origins: [CatalogOrigin] {
        sources.map {
            CatalogOrigin(name: $0.name, attribution: $0.attribution, readAt: Timestamp(seconds: $0.readAt))
        }
    }
}
