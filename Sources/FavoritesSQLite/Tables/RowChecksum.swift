internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

/// A checksum over the values of a row, which reveals damage.
///
/// It is FNV-1a, as in `ChangeDigest` and for the same reason: it protects against disk errors, not against people.
struct RowChecksum {
    private var hash = FNV1a()

    var value: Int64 { Int64(bitPattern: hash.value) }

    mutating func addNull() { hash.combine(UInt8(0)) }

    mutating func add(_ number: Int64) {
        hash.combine(UInt8(1))
        hash.combine(number: number)
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(utf8: UnsafeRawBufferPointer($0)) }
    }

    mutating func add(utf8 text: [UInt8]) { text.withUnsafeBytes { add(utf8: $0) } }

    mutating func add(utf8 text: UnsafeRawBufferPointer) {
        hash.combine(UInt8(3))
        hash.combine(number: Int64(text.count))
        hash.combine(text)
    }

    private mutating func add(_ value: SQLValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .real(let number):
            hash.combine(UInt8(2))
            hash.combine(number: Int64(bitPattern: number.bitPattern))
        case .text(let text): add(text)
        case .blob(let bytes):
            hash.combine(UInt8(4))
            hash.combine(number: Int64(bytes.count))
            hash.combine(bytes)
        }
    }

    /// Returns the checksum of all other values of a row, in the order of the table's columns.
    static func of(_ values: some Sequence<SQLValue>) -> Int64 {
        var checksum = RowChecksum()
        for value in values { checksum.add(value) }
        return checksum.value
    }

    static let function = DatabaseFunction("row_checksum") { values in .integer(of(values)) }
}

extension Row {
    /// The values of a row whose last column is the checksum of the others.
    ///
    /// - Throws: `DamagedRecord` if they differ from the written ones.
    func verifiedValues() throws(DamagedRecord) -> [SQLValue] {
        var values = values
        guard let last = values.popLast(), Int64(last) == RowChecksum.of(values) else {
            throw DamagedRecord()
        }
        return values
    }
}

extension SQLValue {
    /// The value in the type that its column declares.
    ///
    /// - Throws: `DamagedRecord` if it is of another type.
    func decoded<Value: SQLConvertible>(_ type: Value.Type = Value.self) throws(DamagedRecord) -> Value {
        guard let value = Value(self) else { throw DamagedRecord() }
        return value
    }
}

/// A record of the store differs from the written one.
struct DamagedRecord: Error, Equatable, CustomStringConvertible {
    var description: String { "a record does not match its checksum: the disk or another program damaged it" }
}

extension RowChecksum {
    static func ofFavorite(
        _ id: Int64,
        on list: ListName,
        savedRevision: Int64,
        text: UnsafeRawBufferPointer
    ) -> Int64 {
        var checksum = RowChecksum()
        checksum.add(list.text)
        checksum.add(id)
        checksum.add(savedRevision)
        checksum.add(utf8: text)
        return checksum.value
    }

    /// The checksum of a list's own row. It covers the ids on the list, so it does not match if a favorite is missing
    /// or additional. `exists` is false for a deleted list. `ids` are oldest first.
    static func ofList(_ list: ListName, revision: Int64, exists: Bool, ids: [Int64]) -> Int64 {
        var checksum = RowChecksum()
        checksum.add(list.text)
        checksum.add(revision)
        checksum.add(exists ? 1 : 0)
        checksum.add(of(ids: ids))
        return checksum.value
    }

    static func ofList(_ name: ListName, _ list: KnownList) -> Int64 {
        ofList(name, revision: list.revision, exists: list.exists, ids: list.ids)
    }

    fileprivate static func of(ids: [Int64]) -> Int64 {
        var checksum = RowChecksum()
        for id in ids { checksum.add(id) }
        return checksum.value
    }

    /// In SQL. `revision` is a column or a parameter. `quote` keeps the type of each value.
    static func ofList(revision: String) -> String {
        """
        row_checksum(name, \(revision), deletion IS NULL, ids_checksum((
            SELECT group_concat(quote(saved_revision) || ' ' || quote(character_id)) FROM favorites WHERE list = name
        )))
        """
    }

    /// The SQL function `ids_checksum(rows)`, over the revisions and the ids of the favorites on a list. A value of
    /// another type makes it null, and the row counts as damaged.
    static let idsFunction = DatabaseFunction("ids_checksum") { values in
        let rows = (values.first.flatMap { String($0) } ?? "").split(separator: ",")
        let favorites = rows.compactMap { row -> (savedRevision: Int64, id: Int64)? in
            let numbers = row.split(separator: " ").map { Int64($0) }
            guard numbers.count == 2, let revision = numbers[0], let id = numbers[1] else { return nil }
            return (revision, id)
        }
        guard favorites.count == rows.count else { return .null }
        return .integer(of(ids: favorites.sorted { $0.savedRevision < $1.savedRevision }.map(\.id)))
    }
}

/// The rows of one list differ from the written ones. Only this list is refused.
struct DamagedList: Error, Equatable, CustomStringConvertible {
    enum Problem: Equatable {
        /// Its row is damaged or missing.
        case favorite(Int64)
        /// The favorites differ from those that the list's row covers, or the row itself is damaged.
        case row
        /// There are favorites on a list without a row.
        case noRow
        /// It was found and reported before.
        case known
    }

    let list: ListName
    let problem: Problem

    var description: String {
        switch problem {
        case .favorite(let id): "list \(list): the row of character \(id) does not match its checksum"
        case .row: "list \(list): its row and ids do not match their checksum"
        case .noRow: "list \(list): it has favorites, but its row is missing"
        case .known: "list \(list): its rows do not match their checksums"
        }
    }

    /// Reads values of one row of the list. `problem` is for a value of another type than its column declares, or an
    /// invalid favorite. `body` runs no statement, because an error of SQLite is not the damage of one list.
    ///
    /// - Throws: `DamagedList`, or the error of `body`.
    static func reading<Value>(
        _ list: ListName,
        _ problem: Problem = .row,
        _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError where error.failure == .damaged {
            throw DamagedList(list: list, problem: problem)
        } catch is JSONError {
            throw DamagedList(list: list, problem: problem)
        }
    }

    var storeError: StoreError { .damaged(list) }
}
