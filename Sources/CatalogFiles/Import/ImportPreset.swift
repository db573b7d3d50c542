internal import Catalog
internal import MarvelAPI
internal import MarvelDomain

/// A table of the columns of a data set: which column of CSV, or which path in JSON objects, is which part of a
/// character.
struct ImportPreset: Sendable {
    /// The texts of a record by column.
    typealias Fields = [String: String]

    /// The line that must be shown with the data; nil for lists, which are named by their file.
    var attribution: String?
    /// The number of the data set in the staging tables; nil for lists, of which each has its own.
    var source: ImportSource?
    var id: String
    var name: String
    /// The suffix that is removed from names, because nearly all have it.
    var nameSuffix = ""
    var fullName: String?
    var description: String?
    var publisher: String?
    /// A link about the character. Pictures become links too, because they do not have the variants of the API's.
    var link: (type: String, column: String, prefix: String)
    var comics: String?
    /// The columns of the facts from which a description is made, with their labels.
    var facts: [(label: String, column: String)]

    /// FiveThirtyEight's `marvel-wikia-data.csv`. Its numbers are the page ids of the wiki.
    static let wikia = ImportPreset(
        attribution: "Data: FiveThirtyEight, Comic Books Are Still Made By Men, For Men And About Men, from Marvel "
            + "Wikia; CC BY 4.0; changed by marvel-rpc.",
        source: ImportSource(number: 1),
        id: "page_id",
        name: "name",
        nameSuffix: " (Earth-616)",
        link: ("wiki", "urlslug", "https://marvel.fandom.com/wiki"),
        comics: "APPEARANCES",
        facts: [("", "ALIGN"), ("", "ID"), ("", "ALIVE"), (firstAppearance, "FIRST APPEARANCE"), ("", "Year")]
    )

    /// The elements of superhero-api's `all.json`.
    static let superheroAPI = ImportPreset(
        attribution: "Data: superhero-api, Copyright (c) 2018 Yoann Cribier; MIT License; changed by marvel-rpc.",
        source: ImportSource(number: 2),
        id: "id",
        name: "name",
        fullName: "biography.fullName",
        publisher: "biography.publisher",
        link: ("image", "images.lg", ""),
        facts: [
            ("Full name", "biography.fullName"), ("Occupation", "work.occupation"),
            (firstAppearance, "biography.firstAppearance"),
        ]
    )

    /// A list of no known format: objects with a name, whose other fields are texts. Their ids have no meaning.
    static let list = ImportPreset(
        id: "id",
        name: "name",
        fullName: "fullName",
        description: "description",
        publisher: "publisher",
        link: ("image", "image", ""),
        facts: [("Full name", "fullName"), (firstAppearance, "firstAppearance")]
    )

    private static let firstAppearance = "First appearance"

    /// All columns that are imported.
    var columns: [String] {
        [id, name, link.column] + [fullName, description, publisher, comics].compactMap(\.self) + facts.map(\.column)
    }

    /// Converts the texts of a record.
    ///
    /// - Parameters:
    ///   - fields: The texts by column. Columns without a text may be missing.
    ///   - source: The data set.
    /// - Returns: The record, with the number in the data set as its id.
    /// - Throws: `ImportProblem`.
    func record(_ fields: Fields, of source: ImportSource) throws -> ImportedRecord {
        var name = PlainText.line(fields[name] ?? "")
        if !nameSuffix.isEmpty, name.hasSuffix(nameSuffix) { name.removeLast(nameSuffix.count) }
        let fullName = fullName.flatMap { ImportPreset.known(fields[$0]) }
        let key = source.isList ? ImportSource.listKey(name: name, fullName: fullName ?? "") : Int64(fields[id] ?? "")
        guard let key, source.isList || ImportSource.keys.contains(key) else {
            throw ImportProblem("\(id) is no number from 1 to \(ImportSource.keys.upperBound)")
        }
        guard !name.allSatisfy(\.isWhitespace) else { throw ImportProblem("it has no name") }
        let url = fields[link.column].flatMap { text in
            text.isEmpty ? nil : CharacterURL(marvelType: link.type, url: link.prefix + text, hiding: nil)
        }
        let character = MarvelCharacter(
            id: key,
            name: name,
            description: description.flatMap { ImportPreset.known(fields[$0]) } ?? "",
            comicCount: comics.flatMap { fields[$0] }.flatMap { Int32($0) }.map { max($0, 0) } ?? 0,
            urls: url.map { [$0] } ?? []
        )
        return ImportedRecord(
            source: source,
            character: character,
            otherName: fullName.map { "\(name) (\($0))" },
            facts: source == ImportPreset.wikia.source ? ImportPreset.wikiaFacts(fields) : sentences(fields, of: name)
        )
    }

    private func sentences(_ fields: Fields, of name: String) -> String {
        facts.compactMap { label, column -> String? in
            guard let text = ImportPreset.known(fields[column]), column != fullName || text != name else { return nil }
            return "\(label): \(text)."
        }
        .joined(separator: " ")
    }

    /// Cleans a text for display; nil if it is empty or a dash, which means unknown.
    private static func known(_ text: String?) -> String? {
        let text = PlainText.paragraph(text ?? "")
        return text.isEmpty || text == "-" ? nil : text
    }

    // MARK: wikia

    private static func wikiaFacts(_ fields: Fields) -> String {
        let known = ["ALIGN", "ID", "ALIVE"].compactMap { fields[$0].flatMap { traits[$0] } }.joined(separator: ", ")
        var facts = known.isEmpty ? [] : [known.prefix(1).uppercased() + known.dropFirst() + "."]
        if let year = fields["Year"], let number = Int(year), (1...9999).contains(number) {
            // `Aug-62` and `1962` become `August 1962`.
            let month = months[String((fields["FIRST APPEARANCE"] ?? "").prefix(3))].map { $0 + " " } ?? ""
            facts.append("\(firstAppearance): \(month)\(year).")
        }
        return facts.joined(separator: " ")
    }

    private static let traits = [
        "Good Characters": "good character", "Bad Characters": "bad character",
        "Neutral Characters": "neutral character",
        "Secret Identity": "secret identity", "Public Identity": "public identity",
        "No Dual Identity": "no dual identity", "Known to Authorities Identity": "identity known to authorities",
        "Deceased Characters": "deceased",
    ]

    private static let months = [
        "Jan": "January", "Feb": "February", "Mar": "March", "Apr": "April", "May": "May", "Jun": "June",
        "Jul": "July", "Aug": "August", "Sep": "September", "Oct": "October", "Nov": "November", "Dec": "December",
    ]
}

/// A data set with its own numbers for characters, which are not Marvel's ids.
///
/// A character whose name is not in Marvel's data gets an id from a range of its data set, the same one in every
/// import. The ranges are above Marvel's ids (7 digits) and the synthetic ones, and below those of created characters.
struct ImportSource: Sendable, Hashable {
    /// The smallest number of a list of no known format. Lists are numbered only to distinguish them, because their
    /// characters are identified by name alone.
    static let firstListNumber = 3

    /// The number of the data set in the staging tables.
    let number: Int

    var isList: Bool { number >= ImportSource.firstListNumber }

    /// The range of numbers in the records of a known data set.
    static let keys = Int64(1)...99_999_999
    /// The range of numbers that are generated for the records of lists.
    static let listKeys = Int64(1)...699_999_999

    /// Returns the id that is reserved for a number, for characters without a known id.
    func reservedID(_ key: Int64) -> Int64 { Int64(min(number, ImportSource.firstListNumber)) * 100_000_000 + key }

    /// Generates the number of a character of a list by a hash of its names, so that it is the same in every import.
    /// Two characters have the same number only by chance.
    static func listKey(name: String, fullName: String) -> Int64 {
        var hash = FNV1a()
        hash.combine(ImportStaging.folded(name))
        hash.combine(0)
        hash.combine(ImportStaging.folded(fullName))
        return listKeys.lowerBound + Int64(hash.value % UInt64(listKeys.upperBound))
    }
}
