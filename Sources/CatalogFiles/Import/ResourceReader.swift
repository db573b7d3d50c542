internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Upstream

/// The JSON functions of SQLite preserve the digits of numbers, and the order of members.
struct ResourceReader {
    private let database: DatabaseQueue

    init() throws {
        var settings = Database.Settings()
        // Answers may be longer than the rows of a file.
        settings.isDefended = false
        database = try DatabaseQueue(nil, settings)
    }

    /// Nil for elements without a `resourceURI`. The JSON must be valid.
    func resources(in json: [UInt8], at path: String) throws -> [SavedResource?] {
        do {
            return try database.sync { db in
                let text = String(decoding: json, as: UTF8.self)
                return try db.all(ResourceReader.elements, text, path) { element in
                    try ResourceReader.resource(element, in: db)
                }
            }
        } catch let error as DatabaseError {
            throw ImportProblem("its JSON cannot be read: \(error.reason)")
        }
    }

    private static let elements = """
        SELECT document, CAST(json_extract(document, '$.resourceURI') AS TEXT),
            CAST(json_extract(document, '$.id') AS INTEGER),
            CAST(coalesce(json_extract(document, '$.title'), json_extract(document, '$.name'),
                json_extract(document, '$.fullName'), '') AS TEXT),
            CAST(coalesce(json_extract(document, '$.type'), '') AS TEXT)
        FROM (SELECT CASE WHEN type = 'object' THEN value END AS document FROM json_each(?, ?))
        """

    /// A comic has its dates in a list.
    private static let fields = """
        SELECT json_group_object(key, value) FROM (
            SELECT key, value FROM json_each(?1) WHERE atom IS NOT NULL
            UNION ALL
            SELECT json_extract(date, '$.type'), json_extract(date, '$.date') FROM (
                SELECT CASE WHEN type = 'object' THEN value END AS date FROM json_each(?1, '$.dates')
            ) WHERE json_type(date, '$.type') = 'text'
        ) WHERE length(CAST(value AS BLOB)) <= \(SavedResource.maximumFieldBytes)
            -- A number such as 1e999 is infinite, which is no JSON.
            AND json_valid(json_array(value))
        """

    private static let links = """
        SELECT CAST(json_extract(item, '$.resourceURI') AS TEXT),
            CAST(coalesce(json_extract(item, '$.name'), '') AS TEXT),
            CAST(coalesce(json_extract(item, '$.type'), '') AS TEXT)
        FROM (
            SELECT CASE WHEN item.type = 'object' THEN item.value END AS item
            FROM json_each(?1) AS member, json_each(
                CASE WHEN member.type <> 'object' THEN '[]'
                    WHEN json_type(member.value, '$.items') = 'array' THEN json_extract(member.value, '$.items')
                    ELSE json_array(json(member.value)) END
            ) AS item
        )
        """

    private static func resource(_ element: Row, in db: Database) throws -> SavedResource? {
        guard let document = try element.readIfPresent(at: 0, as: String.self),
            var own = try element.readIfPresent(at: 1, as: String.self).flatMap(ResourceID.init(uri:))
        else { return nil }
        own.number = try element.readIfPresent(at: 2) ?? 0
        let links = try db.all(links, document) { row in
            let id = try row.readIfPresent(at: 0, as: String.self).flatMap(ResourceID.init(uri:))
            return try id.map { try summary(of: $0, name: row.read(at: 1), type: row.read(at: 2)) }
        }
        return SavedResource(
            summary: try summary(of: own, name: element.read(at: 3), type: element.read(at: 4)),
            document: withoutCaller(document),
            fields: try db.value(fields, document) ?? "{}",
            links: links.compactMap(\.self)
        )
    }

    private static func summary(of id: ResourceID, name: String, type: String) -> ResourceSummary {
        ResourceSummary(
            id: id,
            name: name.cut(to: SavedResource.maximumFieldBytes),
            type: id.kind == .stories ? type.cut(to: SavedResource.maximumFieldBytes) : ""
        )
    }

    /// The API appended the caller's public key to each link. Some writers of JSON escape the equals sign.
    private static func withoutCaller(_ document: String) -> String {
        var document = document
        for item in ["utm_source=", "utm_source\\u003d", "utm_source\\u003D"] {
            let parts = document.components(separatedBy: item)
            let rest = parts.dropFirst().map { $0.drop { !"\"&#\\".contains($0) } }
            document = rest.reduce(parts[0]) { $0 + item + $1 }
        }
        return document
    }
}
