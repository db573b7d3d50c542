internal import Catalog
internal import MarvelDomain
internal import Upstream

/// Maps columns of CSV, or paths in JSON objects, to parts of a character.
struct ImportPreset: Sendable {
    typealias Fields = [String: String]

    let source: ImportSource
    let attribution: String
    var id: String
    var name: String
    var nameSuffix = ""
    var fullName: String?
    var publisher: String?
    /// A link about the character. Pictures become links too, because they lack the API's variants.
    var link: (type: String, column: String, prefix: String)
    var comics: String?
    /// The facts make a description.
    var facts: [(label: String, column: String)]

    /// FiveThirtyEight's `marvel-wikia-data.csv`. Its numbers are the page ids of the wiki.
    static let wikia = ImportPreset(
        source: .wikia,
        attribution: "Data: FiveThirtyEight, Comic Books Are Still Made By Men, For Men And About Men, from Marvel "
            + "Wikia; CC BY 4.0; changed by marvel-rpc.",
        id: "page_id",
        name: "name",
        nameSuffix: "(Earth-616)",
        link: ("wiki", "urlslug", "https://marvel.fandom.com/wiki"),
        comics: "APPEARANCES",
        facts: [("", "ALIGN"), ("", "ID"), ("", "ALIVE"), (firstAppearance, "FIRST APPEARANCE"), ("", "Year")]
    )

    /// The elements of superhero-api's `all.json`.
    static let superheroAPI = ImportPreset(
        source: .superheroAPI,
        attribution: "Data: superhero-api, Copyright (c) 2018 Yoann Cribier; MIT License; changed by marvel-rpc.",
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

    private static let firstAppearance = "First appearance"

    var columns: [String] {
        [id, name, link.column] + [fullName, publisher, comics].compactMap(\.self) + facts.map(\.column)
    }

    /// Columns without a text may be missing. The id is the number in the data set.
    func record(_ fields: Fields) throws -> ImportedRecord {
        var name = PlainText.line(fields[name] ?? "")
        if !nameSuffix.isEmpty, name.hasSuffix(nameSuffix) {
            name.removeLast(nameSuffix.count)
            while name.last == " " { name.removeLast() }
        }
        guard let key = Int64(fields[id] ?? ""), ImportSource.keys.contains(key) else {
            throw ImportProblem("\(id) is not a number from 1 to \(ImportSource.keys.upperBound)")
        }
        guard !name.allSatisfy(\.isWhitespace) else { throw ImportProblem("it has no name") }
        let url = fields[link.column].flatMap { text in
            text.isEmpty ? nil : CharacterURL(marvelType: link.type, url: link.prefix + text, hiding: nil)
        }
        let character = MarvelCharacter(
            id: key,
            name: name,
            comicCount: comics.flatMap { fields[$0] }.flatMap { Int32($0) }.map { max($0, 0) } ?? 0,
            urls: url.map { [$0] } ?? []
        )
        return ImportedRecord(
            source: source,
            character: character,
            otherName: fullName.flatMap { ImportPreset.known(fields[$0]) }.map { "\(name) (\($0))" },
            facts: source == .wikia ? ImportPreset.wikiaFacts(fields) : sentences(fields, of: name)
        )
    }

    private func sentences(_ fields: Fields, of name: String) -> String {
        facts.compactMap { label, column -> String? in
            guard let text = ImportPreset.known(fields[column]), column != fullName || text != name else { return nil }
            return "\(label): \(text)."
        }
        .joined(separator: " ")
    }

    /// Nil for an empty text or a dash, which means unknown.
    private static func known(_ text: String?) -> String? {
        let text = PlainText.paragraph(text ?? "")
        return text.isEmpty || text == "-" ? nil : text
    }

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

/// A data set with its own numbers for characters.
///
/// Reserved ids are above Marvel's (7 digits) and the synthetic ones, and below those of created characters.
enum ImportSource: Int64, Sendable, CaseIterable {
    case wikia = 1
    case superheroAPI = 2

    static let keys = Int64(1)...99_999_999

    func reservedID(_ key: Int64) -> Int64 { rawValue * 100_000_000 + key }
}
