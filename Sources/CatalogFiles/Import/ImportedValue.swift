internal import MarvelDomain
internal import Upstream

/// A value of a JSON file, recognized by its keys.
enum ImportedValue: Decodable {
    /// An answer of the API, or a part of it. `path` is the JSON path of the entries.
    case answer(entries: [CharacterEntry?], attribution: String, path: String)
    /// A character in the API's form. The first one of an export has a note on all origins.
    case character(CharacterEntry, ExportNote?)
    /// A record of superhero-api: the texts by column, and the fields that are not imported.
    case superhero(ImportPreset.Fields, droppedFields: [String])
    case refused(ImportProblem)

    init(_ bytes: [UInt8]) {
        do throws(JSONObject.Refusal) {
            let maximum = RecordReader.maximumByteCount
            self = try JSONObject.decode(ImportedValue.self, from: bytes, maximumByteCount: maximum)
        } catch {
            self = .refused(ImportProblem(error.description))
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        let names = Set(fields.allKeys.map(\.stringValue))
        if names.contains("data") {
            let wrapper = try CharacterDataWrapper(from: decoder)
            self = .answer(entries: wrapper.data.results, attribution: wrapper.attribution, path: "$.data.results")
        } else if names.contains("results") {
            let data = try CharacterDataWrapper.Container(from: decoder)
            self = .answer(entries: data.results, attribution: "", path: "$.results")
        } else if names.contains("powerstats") || names.contains("biography") {
            self = fields.superhero(names)
        } else if fields.isOfTheAPI {
            self = .character(try CharacterEntry(from: decoder), fields.lenient(ExportNote.self, "catalog"))
        } else if names.contains("code"), names.contains("status") || names.contains("message") {
            self = .refused(ImportProblem("it is an error response of the API"))
        } else {
            self = .refused(ImportProblem("it is neither a response of the API nor a character"))
        }
    }
}

private struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { return nil }
}

extension KeyedDecodingContainer<AnyKey> {
    /// Whether a character has the API's form, and therefore Marvel's id. An id and a name alone are no evidence.
    fileprivate var isOfTheAPI: Bool {
        contains("resourceURI") || (try? nestedUnkeyedContainer(forKey: "urls")) != nil
            || (["thumbnail", "comics", "series", "stories", "events"] as [AnyKey]).contains { key in
                (try? nestedContainer(keyedBy: AnyKey.self, forKey: key)) != nil
            }
    }

    fileprivate func superhero(_ names: Set<String>) -> ImportedValue {
        let preset = ImportPreset.superheroAPI
        var fields: ImportPreset.Fields = [:]
        for column in preset.columns { fields[column] = text(column) }
        fields[preset.id] = lenientInteger(AnyKey(stringValue: preset.id)).map(String.init)
        let known = Set(preset.columns.map { String($0.prefix { $0 != "." }) })
        return .superhero(fields, droppedFields: names.subtracting(known).sorted())
    }

    /// Returns the text at a path of keys, such as `biography.fullName`.
    private func text(_ path: String) -> String? {
        guard let point = path.firstIndex(of: ".") else { return lenient(String.self, AnyKey(stringValue: path)) }
        let key = AnyKey(stringValue: String(path[..<point]))
        let rest = String(path[point...].dropFirst())
        return (try? nestedContainer(keyedBy: AnyKey.self, forKey: key))?.text(rest)
    }
}
