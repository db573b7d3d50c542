internal import Catalog
internal import MarvelDomain
internal import SQLiteFiles
internal import Upstream

struct SavedResource: Sendable, Hashable {
    /// The largest documents of the API have about 20 KiB.
    static let maximumByteCount = 64 << 10
    /// The API had about 200,000.
    static let maximumCount = 1_000_000
    /// The maximum for a name, and for a field that sorts documents.
    static let maximumFieldBytes = 200

    var summary: ResourceSummary
    var document: String
    var fields: String
    var links: [ResourceSummary]
}

extension CatalogBatch {
    /// Returns whether the document was new.
    func put(documentOf resource: SavedResource) throws -> Bool {
        let sql = "INSERT OR IGNORE INTO documents (kind, id, fields, document) VALUES (?, ?, ?, ?)"
        let id = resource.summary.id
        try db.run(sql, id.kind.rawValue, id.number, resource.fields, resource.document)
        return db.changedRowCount > 0
    }

    /// Adds the links in both directions.
    func put(linksOf resource: SavedResource) throws {
        for other in resource.links {
            try put(linkFrom: resource.summary.id, to: other)
            try put(linkFrom: other.id, to: resource.summary)
        }
    }

    func put(linkFrom id: ResourceID, to other: ResourceSummary) throws {
        let sql = "INSERT OR IGNORE INTO links (kind, id, other_kind, other_id, name, type) VALUES (?, ?, ?, ?, ?, ?)"
        let (kind, otherKind) = (id.kind.rawValue, other.id.kind.rawValue)
        try db.run(sql, kind, id.number, otherKind, other.id.number, other.name, other.type)
    }
}

enum DocumentTables {
    // No program writes longer texts, but the file is untrusted.
    private static let name = "substr(name, 1, \(SavedResource.maximumFieldBytes))"
    private static let type = "substr(type, 1, \(SavedResource.maximumFieldBytes))"

    /// Texts without case and accents, as for characters. Other values, and texts that no program writes, stay as they are.
    static let folded = DatabaseFunction("folded") { values in
        guard case .text(let text)? = values.first, text.utf8.count <= SavedResource.maximumFieldBytes else {
            return values.first ?? .null
        }
        return .text(String(decoding: FoldedName(text).utf8, as: UTF8.self))
    }

    /// Sorts only ids, because documents are long.
    static func ids(_ query: DocumentQuery, in db: Database) throws -> [Int64] {
        var conditions = ["kind = ?"]
        var arguments: [any SQLConvertible] = [query.kind.rawValue]
        for filter in query.filters {
            let (condition, values) = condition(filter, of: query.kind)
            conditions.append(condition)
            arguments += values
        }
        var order: [String] = []
        for key in query.order {
            order.append("folded(fields ->> ?) \(key.isDescending ? "DESC" : "ASC")")
            arguments.append(path(key.field))
        }
        let sql = """
            SELECT id FROM documents WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \((order + ["id"]).joined(separator: ", ")) LIMIT \(SavedResource.maximumCount)
            """
        return try db.values(sql, binding: arguments)
    }

    /// Throws `UnreadableRecord` if a document is too large or not a JSON object, because documents are sent to
    /// clients.
    static func documents(of kind: ResourceKind, _ ids: some Sequence<Int64>, in db: Database) throws -> [String] {
        let sql = """
            SELECT json(document) FROM documents
            WHERE kind = ? AND id = ? AND length(CAST(document AS BLOB)) <= \(SavedResource.maximumByteCount)
                AND json_valid(document) AND json_type(document) = 'object'
            """
        return try ids.map { id in
            guard let document = try db.value(sql, kind.rawValue, id, as: String.self) else {
                throw UnreadableRecord(description: "\(kind) \(id)")
            }
            return document
        }
    }

    private static func path(_ field: String) -> String { "$.\(field)" }

    private static func condition(
        _ filter: DocumentQuery.Filter,
        of kind: ResourceKind
    ) -> (String, [any SQLConvertible]) {
        switch filter {
        case .id(let id):
            return ("id = ?", [id])
        case .linked(let other, let ids):
            let list = Array(repeating: "?", count: ids.count).joined(separator: ", ")
            return (
                "id IN (SELECT other_id FROM links WHERE kind = ? AND id IN (\(list)) AND other_kind = ?)",
                [other.rawValue] + ids + [kind.rawValue]
            )
        case .equals(let field, let text):
            return ("folded(CAST(fields ->> ? AS TEXT)) = folded(?)", [path(field), text])
        case .startsWith(let field, let text):
            return (
                "substr(folded(CAST(fields ->> ? AS TEXT)), 1, length(folded(?))) = folded(?)",
                [path(field), text, text]
            )
        case .modifiedSince(let time):
            // SQLite supports only offsets with a colon.
            let modified = "fields ->> '$.modified'"
            return ("unixepoch(substr(\(modified), 1, 22) || ':' || substr(\(modified), 23)) >= ?", [time.seconds])
        }
    }

    static func contains(_ id: ResourceID, in db: Database) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM links WHERE kind = ?1 AND id = ?2)
                OR EXISTS (SELECT 1 FROM documents WHERE kind = ?1 AND id = ?2)
            """
        return try db.value(sql, id.kind.rawValue, id.number) ?? false
    }

    static func characters(linkedTo kind: ResourceKind, _ ids: [Int64], in db: Database) throws -> Set<Int64> {
        let list = Array(repeating: "?", count: ids.count).joined(separator: ", ")
        let sql = "SELECT other_id FROM links WHERE kind = ? AND id IN (\(list)) AND other_kind = 'characters'"
        return Set(try db.values(sql, binding: [kind.rawValue] + ids))
    }

    static func list(of kind: ResourceKind, character: Int64, in db: Database) throws -> ResourceList {
        let sql = """
            SELECT other_id, \(name), \(type), count(*) OVER () FROM links
            WHERE kind = 'characters' AND id = ? AND other_kind = ?
            ORDER BY other_id LIMIT \(ResourceList.maximumItems)
            """
        var list = ResourceList(available: 0, items: [])
        let rows = try db.rows(sql, character, kind.rawValue)
        while let row = try rows.next() {
            list.available = try row.read(at: 3)
            let id = ResourceID(kind, try row.read(at: 0))
            list.items.append(ResourceSummary(id: id, name: try row.read(at: 1), type: try row.read(at: 2)))
        }
        return list
    }

    static func forEachDocument(in db: Database, _ body: (String) throws -> Void) throws {
        let rows = try db.rows("SELECT kind, id, document FROM documents ORDER BY kind, id")
        var last: (String, Int64)?
        while let row = try rows.next() {
            let key: (String, Int64) = (try row.read(at: 0), try row.read(at: 1))
            if let last, key <= last { throw UnreadableRecord.outOfOrder("documents") }
            last = key
            try body(row.read(at: 2))
        }
    }

    static func forEachLink(in db: Database, _ body: (ResourceID, ResourceSummary) throws -> Void) throws {
        let columns = "kind, id, other_kind, other_id"
        let rows = try db.rows("SELECT \(columns), \(name), \(type) FROM links ORDER BY \(columns)")
        var last: (String, Int64, String, Int64)?
        while let row = try rows.next() {
            let key: (kind: String, id: Int64, otherKind: String, otherID: Int64) = (
                try row.read(at: 0), try row.read(at: 1), try row.read(at: 2), try row.read(at: 3)
            )
            if let last, key <= last { throw UnreadableRecord.outOfOrder("links") }
            last = key
            guard let kind = ResourceKind(rawValue: key.kind), let other = ResourceKind(rawValue: key.otherKind)
            else { continue }
            let id = ResourceID(other, key.otherID)
            let summary = ResourceSummary(id: id, name: try row.read(at: 4), type: try row.read(at: 5))
            try body(ResourceID(kind, key.id), summary)
        }
    }
}
