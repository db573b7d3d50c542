internal import MarvelAPI
internal import MarvelDomain

/// One element of superhero-api's `all.json`.
struct SuperheroEntry: Decodable {
    private enum Key: String, CodingKey {
        case id, name, biography, work, images
    }

    /// The fields that are not imported.
    let droppedFields: [String]

    private struct Biography: Decodable {
        var fullName: String?
        var firstAppearance: String?
        var publisher: String?

        private enum Key: String, CodingKey {
            case fullName, firstAppearance, publisher
        }

        init() {}

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            fullName = fields.lenient(String.self, .fullName)
            firstAppearance = fields.lenient(String.self, .firstAppearance)
            publisher = fields.lenient(String.self, .publisher)
        }
    }

    private struct Work: Decodable {
        let occupation: String?
    }

    private struct Images: Decodable {
        let lg: String?
    }

    private let id: Int64?
    private let name: String
    private let biography: Biography
    private let occupation: String?
    private let image: String?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        droppedFields = try FieldNames(from: decoder).names.filter { Key(rawValue: $0) == nil }
        id = fields.lenientInteger(.id)
        name = fields.lenient(String.self, .name).map(PlainText.line) ?? ""
        biography = fields.lenient(Biography.self, .biography) ?? Biography()
        occupation = fields.lenient(Work.self, .work)?.occupation
        image = fields.lenient(Images.self, .images)?.lg
    }

    /// The publisher; empty if it is unknown.
    var publisher: String { biography.publisher ?? "" }

    /// Converts the entry to a record.
    ///
    /// - Throws: The reason why the entry cannot be imported.
    func record() throws(RefusedRecord) -> ImportedRecord {
        guard let id, ImportSource.keys.contains(id) else {
            throw RefusedRecord("id is no number from 1 to \(ImportSource.keys.upperBound)")
        }
        guard !name.allSatisfy(\.isWhitespace) else { throw RefusedRecord("it has no name") }
        let fullName = ImportedFacts.known(biography.fullName)
        let facts = [
            ("Full name", fullName == name ? nil : fullName), ("Occupation", ImportedFacts.known(occupation)),
            ("First appearance", ImportedFacts.known(biography.firstAppearance)),
        ]
        // These pictures do not have the API's variants, so they become links about the character, and not its picture.
        let link = image.flatMap { CharacterURL(marvelType: "image", url: $0, hiding: nil) }
        return ImportedRecord(
            source: .superheroAPI,
            character: MarvelCharacter(id: id, name: name, urls: link.map { [$0] } ?? []),
            otherName: fullName.map { "\(name) (\($0))" },
            facts: ImportedFacts.text(facts)
        )
    }
}
