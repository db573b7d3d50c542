internal import GRDB
package import MarvelDomain

/// The characters of a catalog file, by id, read while they are asked for. They end early where one cannot be read.
package final class StoredCharacters: Sequence, IteratorProtocol {
    /// 2 GiB: more does not fit into an index in memory.
    package static let maximumByteCount = 2 << 30

    private let rows: RowCursor
    private let maximumByteCount: Int
    private var count = 0
    private var byteCount = 0
    private var failure: (any Error)?
    private var isAtEnd = false

    init(rows: RowCursor, maximumByteCount: Int) {
        self.rows = rows
        self.maximumByteCount = maximumByteCount
    }

    package func next() -> MarvelCharacter? {
        guard failure == nil, !isAtEnd else { return nil }
        do {
            guard let row = try rows.next() else {
                isAtEnd = true
                return nil
            }
            let (character, encodedByteCount) = try CatalogTables.encodedCharacter(row)
            count += 1
            byteCount += encodedByteCount
            guard byteCount <= maximumByteCount else { throw OversizedCatalog(maximumByteCount: maximumByteCount) }
            return character
        } catch {
            failure = error
            return nil
        }
    }

    /// - Throws: Why they ended early, if they did; `.damaged` if there were more or fewer than the file says.
    func checkEnd(_ description: CatalogDescription, path: String) throws(CatalogFileError) {
        if let failure { throw CatalogFileError(reading: path, failure) }
        guard !isAtEnd || count == description.characterCount else {
            throw CatalogFileError(
                code: .damaged,
                message: "the catalog \(path) is damaged: it has \(count) characters, and says that it has "
                    + "\(description.characterCount)"
            )
        }
    }
}

/// The characters of a catalog are too many, or too large.
struct OversizedCatalog: Error, CustomStringConvertible {
    let maximumByteCount: Int

    var description: String { "the characters take more than \(maximumByteCount) bytes" }
}

/// The bytes of a character are no character, or those of another.
struct UnreadableCharacter: Error, CustomStringConvertible {
    let id: Int64

    var description: String { "character \(id)" }
}
