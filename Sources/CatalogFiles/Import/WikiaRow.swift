internal import MarvelDomain

/// The columns of FiveThirtyEight's `marvel-wikia-data.csv`, by which its rows are decoded.
struct WikiaColumns {
    private let places: [String: Int]

    /// - Parameter header: The first row.
    /// - Throws: `.notRecognized` if it is the header of another file.
    init(_ header: [String]) throws(ImportedFileError) {
        places = Dictionary(zip(header, 0...), uniquingKeysWith: { first, _ in first })
        // The same data set has a file of DC's characters, whose header differs in this.
        guard places["YEAR"] == nil else { throw .notRecognized("it holds the characters of DC") }
        count = header.count
        droppedColumns = header.filter { !WikiaColumns.taken.contains($0) }.sorted()
    }

    let count: Int
    /// The columns that are not imported.
    let droppedColumns: [String]

    private static let taken: Set = [
        "page_id", "name", "urlslug", "ID", "ALIGN", "ALIVE", "APPEARANCES", "FIRST APPEARANCE", "Year",
    ]

    /// Converts a row to a record.
    ///
    /// - Parameter row: The fields of the row.
    /// - Returns: The record, with the page id of the wiki as its number.
    /// - Throws: The reason why the row cannot be imported.
    func record(_ row: [String]) throws(RefusedRecord) -> ImportedRecord {
        guard row.count == count else { throw RefusedRecord("it has \(row.count) fields, the header has \(count)") }
        func text(_ column: String) throws(RefusedRecord) -> String {
            guard let place = places[column] else { return "" }
            guard let text = JSONEscapes.decoded(row[place]) else {
                throw RefusedRecord("\(column) has an invalid escape")
            }
            return text
        }
        guard let key = Int64(try text("page_id")), ImportSource.keys.contains(key) else {
            throw RefusedRecord("page_id is no number from 1 to \(ImportSource.keys.upperBound)")
        }
        let name = WikiaColumns.displayed(try text("name"))
        guard !name.allSatisfy(\.isWhitespace) else { throw RefusedRecord("it has no name") }
        let path = try text("urlslug")
        let character = MarvelCharacter(
            id: key,
            name: name,
            comicCount: Int32(try text("APPEARANCES")).map { max($0, 0) } ?? 0,
            urls: path.isEmpty ? [] : [CharacterURL(type: "wiki", url: "https://marvel.fandom.com/wiki" + path)]
        )
        let traits = [try text("ALIGN"), try text("ID"), try text("ALIVE")]
        let appearance = WikiaColumns.month(try text("FIRST APPEARANCE"), year: try text("Year"))
        return ImportedRecord(
            source: .wikia,
            character: character,
            facts: WikiaColumns.facts(traits, firstAppearance: appearance)
        )
    }

    /// Removes the suffix of the universe that nearly all characters belong to. The page id identifies the character.
    private static func displayed(_ name: String) -> String {
        let suffix = " (Earth-616)"
        return name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    private static func facts(_ traits: [String], firstAppearance: String) -> String {
        let known = traits.compactMap { words[$0] }.joined(separator: ", ")
        let sentence = known.isEmpty ? [] : [known.prefix(1).uppercased() + known.dropFirst() + "."]
        let appearance = firstAppearance.isEmpty ? [] : ["First appearance: \(firstAppearance)."]
        return (sentence + appearance).joined(separator: " ")
    }

    private static let words = [
        "Good Characters": "good character", "Bad Characters": "bad character",
        "Neutral Characters": "neutral character",
        "Secret Identity": "secret identity", "Public Identity": "public identity",
        "No Dual Identity": "no dual identity", "Known to Authorities Identity": "identity known to authorities",
        "Deceased Characters": "deceased",
    ]

    /// Formats a month and a year: `Aug-62` and `1962` become `August 1962`.
    private static func month(_ text: String, year: String) -> String {
        guard let number = Int(year), (1...9999).contains(number) else { return "" }
        return (months[String(text.prefix(3))].map { $0 + " " } ?? "") + year
    }

    private static let months = [
        "Jan": "January", "Feb": "February", "Mar": "March", "Apr": "April", "May": "May", "Jun": "June",
        "Jul": "July", "Aug": "August", "Sep": "September", "Oct": "October", "Nov": "November", "Dec": "December",
    ]
}

/// The reason why a record cannot be imported.
struct RefusedRecord: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
