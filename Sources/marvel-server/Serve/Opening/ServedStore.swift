import Catalog
import FavoritesPostgres
import FavoritesSQLite
import Logging
import MarvelDomain

/// A store of favorites that the program can also run and close.
protocol ServedStore: FavoritesStore, FavoriteCharacters {
    var counters: Logger.Metadata { get }

    /// Nil while changes are accepted; otherwise they are refused until the store is opened again.
    var refusalText: String? { get }

    /// Nil while the store is reachable; otherwise it is tried again.
    var unavailabilityText: String? { get }

    var listCount: Int { get }

    /// The lists that were found damaged since the store was opened. They are refused.
    var damagedListCount: Int { get }

    /// The bytes of the log that are not yet in the store's file; nil if the store is not a file.
    var logByteCount: Int? { get }

    var commitDurations: HistogramCounts { get }

    /// The figures of the connections to a shared database; nil for a store in a file.
    var database: StoreFigures? { get }

    var characterEdits: any EditStore { get }

    /// The addresses of this server, for other programs that try to open the store.
    func noteAddress(_ address: String)

    /// Verifies the parts that opening does not verify, and reports damage to the operator. It ends early if its task
    /// is cancelled.
    func verify() async

    /// Ends the work that keeps the store from closing, for example a long statement.
    func interrupt()

    func close() async
}

extension ServedStore {
    var damagedListCount: Int { 0 }
}

extension SQLiteFavoritesStore: ServedStore {
    var counters: Logger.Metadata { ["storeLogPages": .stringConvertible(logPageCount)] }

    var refusalText: String? { refusal.map { "\($0)" } }

    var unavailabilityText: String? { nil }

    var logByteCount: Int? { logPageCount * 4_096 }

    var database: StoreFigures? { nil }

    var characterEdits: any EditStore { edits }

    func verify() async { _ = await verifyRecords() }
}

extension PostgresFavoritesStore: ServedStore {
    var counters: Logger.Metadata { [:] }

    var refusalText: String? { refusal }

    var unavailabilityText: String? { unavailability }

    var logByteCount: Int? { nil }

    var database: StoreFigures? { figures }

    var characterEdits: any EditStore { edits }

    func noteAddress(_ address: String) {}

    /// Its statements have deadlines of their own.
    func interrupt() {}

    func verify() async {}
}
