import Catalog
import FavoritesPostgres
import FavoritesSQLite
import Logging
import MarvelDomain

/// A store of favorites as the program that opened it needs it: also to run it, and to close it.
protocol ServedStore: FavoritesStore, FavoriteCharacters {
    /// The counters of the store, for the report in the log.
    var counters: Logger.Metadata { get }

    /// The reason that no changes are accepted until the store is opened again; nil while they are accepted.
    var refusalText: String? { get }

    /// The reason that the store cannot be reached now, and is tried again; nil if it can be reached.
    var unavailabilityText: String? { get }

    /// The number of lists that exist.
    var listCount: Int { get }

    /// The number of lists that were found damaged since the store was opened, and are refused.
    var damagedListCount: Int { get }

    /// The size of the log that is not copied into the store's file yet, in bytes; nil if the store is no file.
    var logByteCount: Int? { get }

    /// The durations of commits.
    var commitDurations: HistogramCounts { get }

    /// The figures of the connections to a database that several servers share; nil for a store in a file.
    var database: StoreFigures? { get }

    /// The operator's edits in the store.
    var characterEdits: any EditStore { get }

    /// Notes the addresses of this server, for other programs that try to open the store.
    func noteAddress(_ address: String)

    /// Verifies what is not verified at opening, and reports what it finds to the operator. It ends early if its task is
    /// cancelled.
    func verify() async

    /// Ends what keeps the store from closing, for example a statement that does not end.
    func interrupt()

    /// Finishes the changes that were begun, and closes the store.
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
