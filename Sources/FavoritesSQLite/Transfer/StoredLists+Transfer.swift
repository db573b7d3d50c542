internal import FavoritesEngine
internal import Foundation
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

extension StoredLists {
    package struct ExportReport: Sendable, Hashable {
        package var listCount = 0
        package var favoriteCount = 0
        package var damagedLists: [ListName] = []
    }

    /// Writes all lists of a store as text, in the order of their names. A server may have the store open: the text is
    /// its state at one moment. One list at a time is in memory.
    ///
    /// - Throws: `FavoritesStoreOpenError` if it is not a store, or cannot be read; or the error of `write`.
    package static func export(_ path: String, _ write: ([UInt8]) throws -> Void) throws -> ExportReport {
        try requireStore(at: path)
        var writing: (any Error)?
        do {
            let db = try StoreConnection.openReadOnly(path, limitsTime: false)
            return try db.reading {
                try StoreInspection.checkIdentity(db, path: path)
                return try StoreSchema.newest(db) { db in
                    var report = ExportReport()
                    let lists = "SELECT name, owner FROM lists WHERE deletion IS NULL ORDER BY name"
                    let rows = try db.rows(lists)
                    while let row = try rows.next() {
                        // A check of the store reports an invalid name.
                        guard let name = try? ListName(stored: row.read(at: 0)) else { continue }
                        let (stored, owner): (StoredList, ListOwner)
                        do {
                            stored = try StoredList.read(name, in: db)
                            owner = try DamagedList.reading(name) { try ListOwner(inRow: row.readIfPresent(at: 1)) }
                        } catch is DamagedList {
                            report.damagedLists.append(name)
                            continue
                        }
                        let favorites = try stored.rows.map { try StoredFavorite(text: $0.text) }
                        let line = ListLine.text(
                            name,
                            favorites,
                            revision: stored.revision,
                            owner: owner
                        )
                        do {
                            try write(Array(line.utf8))
                        } catch {
                            writing = error
                            throw error
                        }
                        report.listCount += 1
                        report.favoriteCount += favorites.count
                    }
                    return report
                }
            }
        } catch {
            throw writing ?? FavoritesStoreOpenError(opening: path, error)
        }
    }

    package struct ImportReport: Sendable, Hashable {
        /// The lists that were created, or whose contents were replaced.
        package var changedCount = 0
        /// The lists that already agreed with the text.
        package var unchangedCount = 0
        package var favoriteCount = 0
    }

    /// All lists before the invalid line are imported.
    package struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
        package var description: String
        /// The lists that were imported before.
        package var report: ImportReport
    }

    /// Reads lists from text into a store that no server has open. It creates a missing store.
    ///
    /// A list of the text replaces the contents, times of saving and owner of the store's list of that name. Text of an
    /// older version has no owners: the list then keeps the owner in the store. The list is deleted and filled again,
    /// in changes with new revisions, which watchers get. A list that already agrees with the text does not change. So
    /// a failed import is continued by running it again. Lists that are not in the text do not change. Many lists share
    /// a transaction; a list is never imported in part.
    ///
    /// - Parameters:
    ///   - descriptor: The file with the text, which the caller opens and closes. One line at a time is read.
    ///   - path: The store's file.
    ///   - maximumLineBytes: The maximum bytes of a line.
    ///   - onNotice: Called with other changes of the store, in words for the operator.
    /// - Returns: The number of lists and favorites.
    /// - Throws: `FavoritesStoreOpenError` if the store cannot be opened; `ImportError` if a line is not a list, with
    ///   its number, or if the store cannot be written.
    package static func importLists(
        _ descriptor: CInt,
        into path: String,
        maximumLineBytes: Int = 32 << 20,
        onNotice: (String) -> Void
    ) async throws -> ImportReport {
        let store = try openForOperator(path, onNotice)
        var work = ListsImport(into: store, from: LineReader(descriptor, maximumBytes: maximumLineBytes))
        let result: Result<ImportReport, any Error>
        do {
            result = .success(try await work.run())
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }
}

private struct ListsImport {
    /// The maximums of a transaction.
    private static let (maximumLists, maximumBytes) = (256, 4 << 20)

    private let store: SQLiteFavoritesStore
    private var reader: LineReader
    private var report = StoredLists.ImportReport()
    /// The lists that are not written yet, and the bytes of their lines.
    private var waiting: [ListLine] = []
    private var waitingBytes = 0

    init(into store: SQLiteFavoritesStore, from reader: LineReader) {
        self.store = store
        self.reader = reader
    }

    mutating func run() async throws -> StoredLists.ImportReport {
        while let line = try await next() {
            // The later of two lines for a list counts.
            if waiting.contains(where: { $0.name == line.name }) { try await write() }
            waiting.append(line)
            if waiting.count >= Self.maximumLists || waitingBytes >= Self.maximumBytes { try await write() }
        }
        try await write()
        return report
    }

    /// Nil at the end. After an error, the lists before it are written first.
    private mutating func next() async throws -> ListLine? {
        let line: Result<ListLine?, any Error>
        do {
            line = .success(try readLine())
        } catch {
            line = .failure(error)
            try await write()
        }
        do {
            return try line.get()
        } catch {
            throw StoredLists.ImportError(description: "line \(reader.number): \(error)", report: report)
        }
    }

    private mutating func readLine() throws -> ListLine? {
        while let bytes = try reader.next() {
            waitingBytes += bytes.count
            if bytes.contains(where: { $0 > UInt8(ascii: " ") }) { return try ListLine(bytes) }
        }
        return nil
    }

    private mutating func write() async throws {
        guard !waiting.isEmpty else { return }
        do throws(StoreError) {
            let changedCount = try await store.replace(waiting)
            report.changedCount += changedCount
            report.unchangedCount += waiting.count - changedCount
            report.favoriteCount += waiting.reduce(0) { $0 + $1.favorites.count }
            waiting.removeAll(keepingCapacity: true)
            waitingBytes = 0
        } catch {
            throw StoredLists.ImportError(description: "the store cannot be written: \(error)", report: report)
        }
    }
}

extension SQLiteFavoritesStore {
    /// Replaces lists with those of the lines. The store is not served meanwhile.
    ///
    /// - Returns: The number of lists that changed.
    fileprivate func replace(_ lines: [ListLine]) async throws(StoreError) -> Int {
        let results = await withTaskGroup(of: Result<Bool, StoreError>.self) { group in
            for line in lines {
                group.addTask {
                    do throws(StoreError) {
                        return .success(try await self.replace(line))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var changedCount = 0
        for result in results where try result.get() { changedCount += 1 }
        return changedCount
    }

    /// - Returns: Whether the list changed.
    private func replace(_ line: ListLine) async throws(StoreError) -> Bool {
        let stored = try await read { db -> (favorites: [Favorite], owner: ListOwner)? in
            guard try ListsTable.exists(line.name, in: db) else { return nil }
            return (try StoredList.read(line.name, in: db).favorites(), try ListsTable.owner(of: line.name, in: db))
        }
        let owner = line.owner ?? stored?.owner ?? .nobody
        if let stored, stored.favorites == line.favorites {
            guard stored.owner != owner else { return false }
            try await setOwner(owner, of: line.name)
            return true
        }
        try await replace(line.name, line.favorites, of: owner)
        return true
    }

    private func setOwner(_ owner: ListOwner, of list: ListName) async throws(StoreError) {
        try await onWriter { [self] db throws(StoreError) in
            if let refusal { throw refusal }
            do {
                try transaction(in: db) { try tables.lists.setOwner(owner.name, of: list) }
            } catch {
                throw writeError(error)
            }
            engine.withLock { $0.forget(list) }
        }
    }
}
