internal import GRDB
package import MarvelDomain

/// The sequence of a catalog file's characters, ordered by id and read lazily. It ends early at a character that cannot
/// be read.
package final class StoredCharacters: Sequence, IteratorProtocol {
    /// The maximum size: 2 GiB. More does not fit into an index in memory.
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

    /// Checks the end of the sequence.
    ///
    /// - Throws: The reason why the sequence ended early, if it did; `.damaged` if the number of characters differs
    ///   from the one in the file's metadata.
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

/// An error: the characters of a catalog are too many or too large.
struct OversizedCatalog: Error, CustomStringConvertible {
    let maximumByteCount: Int

    var description: String { "the characters take more than \(maximumByteCount) bytes" }
}

/// An error: the bytes of a character cannot be decoded, or belong to another character.
struct UnreadableCharacter: Error, CustomStringConvertible {
    let id: Int64

    var description: String { "character \(id)" }
}
