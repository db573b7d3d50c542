internal import Catalog
internal import MarvelAPI
internal import MarvelDomain

/// A character of a list that says nothing of its format: an object with a name, whose other fields are texts.
///
/// Its id is the list's own, and no number of Marvel's.
struct ListEntry: Decodable {
    private enum Key: String, CodingKey, CaseIterable {
        case id, name, fullName, firstAppearance, publisher, description, image
    }

    private let name: String
    private let fullName: String?
    private let firstAppearance: String?
    private let description: String
    private let link: CharacterURL?
    /// Empty if it is not known; nil if the list has no publishers.
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
        // Such pictures have no variants as those of the API, so they are pages about the character, not its picture.
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

    /// Whether an object with these fields may be a character.
    static func describes(_ names: some Sequence<String>) -> Bool {
        let known = Set(names).intersection(Key.allCases.map(\.rawValue))
        return known.contains(Key.name.rawValue) && known.count > 1
    }

    /// - Parameter source: The list.
    /// - Returns: The character, with a number made up of its names.
    /// - Throws: Why there is none.
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
    /// Whether there is something else than null or an empty text.
    fileprivate func hasValue(_ key: Key) -> Bool {
        contains(key) && (try? decodeNil(forKey: key)) == false && lenient(String.self, key) != ""
    }
}

/// Facts put into sentences, for want of a description that somebody wrote.
enum ImportedFacts {
    static func text(_ facts: [(String, String?)]) -> String {
        facts.compactMap { label, text in text.map { "\(label): \($0)." } }.joined(separator: " ")
    }

    /// The text cleaned for display; nil where it says nothing. A dash, too, stands for what is not known.
    static func known(_ text: String?) -> String? {
        let text = PlainText.paragraph(text ?? "")
        return text.isEmpty || text == "-" ? nil : text
    }
}

/// The names of all fields of an object.
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
