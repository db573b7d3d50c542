internal import Catalog
internal import MarvelAPI
internal import MarvelDomain

/// A character of a list of no known format: an object with a name, whose other fields are texts.
///
/// Its id belongs to the list, and is not Marvel's.
struct ListEntry: Decodable {
    private enum Key: String, CodingKey, CaseIterable {
        case id, name, fullName, firstAppearance, publisher, description, image
    }

    private let name: String
    private let fullName: String?
    private let firstAppearance: String?
    private let description: String
    private let link: CharacterURL?
    /// The publisher; empty if it is unknown, and nil if the list has no publishers.
    let publisher: String?
    /// The fields that were not understood.
    let droppedFields: [String]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        name = fields.lenient(String.self, .name).map(PlainText.line) ?? ""
        fullName = ImportedFacts.known(fields.lenient(String.self, .fullName))
        firstAppearance = ImportedFacts.known(fields.lenient(String.self, .firstAppearance))
        description = ImportedFacts.known(fields.lenient(String.self, .description)) ?? ""
        publisher = fields.contains(.publisher) ? fields.lenient(String.self, .publisher) ?? "" : nil
        // These pictures do not have the API's variants, so they become links about the character, and not its picture.
        let link = fields.lenient(String.self, .image)
            .flatMap { CharacterURL(marvelType: "image", url: $0, hiding: nil) }
        self.link = link
        droppedFields = try FieldNames(from: decoder).names.filter { name in
            switch Key(rawValue: name) {
            case .id, .name: false
            case .image: link == nil && fields.hasValue(.image)
            case let key?: fields.lenient(String.self, key) == nil && fields.hasValue(key)
            case nil: true
            }
        }
    }

    /// Returns whether an object with these fields may be a character.
    static func describes(_ names: some Sequence<String>) -> Bool {
        let known = Set(names).intersection(Key.allCases.map(\.rawValue))
        return known.contains(Key.name.rawValue) && known.count > 1
    }

    /// Converts the entry to a record.
    ///
    /// - Parameter source: The list.
    /// - Returns: The record, with a number that is generated from the names.
    /// - Throws: The reason why the entry cannot be imported.
    func record(of source: ImportSource) throws(RefusedRecord) -> ImportedRecord {
        guard !name.allSatisfy(\.isWhitespace) else { throw RefusedRecord("it has no name") }
        let key = ImportSource.listKey(
            name: ImportStaging.folded(name),
            fullName: ImportStaging.folded(fullName ?? "")
        )
        return ImportedRecord(
            source: source,
            character: MarvelCharacter(
                id: key,
                name: name,
                description: description,
                urls: link.map { [$0] } ?? []
            ),
            otherName: fullName.map { "\(name) (\($0))" },
            facts: ImportedFacts.text([
                ("Full name", fullName == name ? nil : fullName), ("First appearance", firstAppearance),
            ])
        )
    }
}

extension KeyedDecodingContainer {
    /// Returns whether a field has a value other than null or an empty text.
    fileprivate func hasValue(_ key: Key) -> Bool {
        contains(key) && (try? decodeNil(forKey: key)) == false && lenient(String.self, key) != ""
    }
}

/// The conversion of facts to sentences, for characters without a written description.
enum ImportedFacts {
    static func text(_ facts: [(String, String?)]) -> String {
        facts.compactMap { label, text in text.map { "\(label): \($0)." } }.joined(separator: " ")
    }

    /// Cleans a text for display; nil if it is empty or a dash, which means unknown.
    static func known(_ text: String?) -> String? {
        let text = PlainText.paragraph(text ?? "")
        return text.isEmpty || text == "-" ? nil : text
    }
}

/// The names of all fields of a JSON object.
struct FieldNames: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    let names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted()
    }
}
