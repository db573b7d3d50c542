import Catalog
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import Logging
import MarvelDomain
import MarvelService
import ProgramSupport
import RPCCore
import RPCServer
import Upstream

extension ServerValues {
    /// The default path if the store is a database. Other files of the server are beside it.
    func storePath() throws(StartupError) -> String {
        if let store, !isStoreDatabase { return store }
        return try StateFolder.defaultStore()
    }

    /// Whether favorites are in a database that other servers share.
    var isStoreDatabase: Bool { store.map(DatabaseAddress.isAddress) ?? false }

    /// Beside the store (for a database, the default store), so that no two servers share it.
    func cachePath() throws(StartupError) -> String {
        if let cache { return cache }
        return CacheFile.path(beside: try storePath())
    }

    func openCache(of gateway: GatewayURL?, _ logger: Logger) throws(StartupError) -> CacheFile {
        var limits = CacheFile.Limits()
        limits.pictureByteCount = imageCacheBytes
        return CacheFile(path: try cachePath(), gateway: gateway?.base ?? "", limits: limits) { problem in
            logger.error("cache", metadata: ["problem": "\(problem)"])
        }
    }

    /// `cache` takes the pictures of a store of an earlier version; nil to open it only if there are any.
    ///
    /// `health` stops serving if the store takes no more changes until a restart. An unreachable database does not
    /// change it: all servers would stop at the same time.
    func openStore(
        cache: CacheFile?,
        logger: Logger,
        health: ServiceHealth
    ) throws(StartupError) -> any ServedStore {
        let problems = ProblemLog("store", logger)
        let onRefusal: @Sendable (String) -> Void = { reason in
            health.stopServing()
            logger.critical("favorites are read-only until a restart", metadata: ["reason": "\(reason)"])
        }
        if let store, isStoreDatabase { return try openDatabase(store, problems, onRefusal, logger) }
        let opened: SQLiteFavoritesStore
        do {
            opened = try SQLiteFavoritesStore(
                path: storePath(),
                capacity: capacity ?? StoreLocation.defaultCapacity,
                maximumLists: maximumLists,
                maximumListsPerOwner: listsPerCaller,
                retention: retention,
                durability: durability,
                address: endpoints.map(\.address.description).joined(separator: ", "),
                movingPictures: try pictureMove(to: cache, logger),
                onError: { problems.report("\($0)") },
                onRefusal: { onRefusal("\($0)") }
            )
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError(.storage, "\(error)")
        }
        log(opened.openingReport, logger)
        return opened
    }

    private func pictureMove(to cache: CacheFile?, _ logger: Logger) throws(StartupError) -> PictureMove {
        let path = try cachePath()
        var opened = cache
        return { pictures in
            guard let file = try? opened ?? openCache(of: nil, logger) else { return false }
            opened = file
            let isMoved = file.pinNow(pictures)
            let count: Logger.Metadata = ["count": .stringConvertible(pictures.count), "cache": "\(path)"]
            if isMoved {
                logger.notice("pictures of favorites moved from the store to the cache", metadata: count)
            } else {
                logger.error(
                    "pictures of favorites stay in the store: moving them failed, the next start retries",
                    metadata: count
                )
            }
            return isMoved
        }
    }

    private func openDatabase(
        _ address: String,
        _ problems: ProblemLog,
        _ onRefusal: @escaping @Sendable (String) -> Void,
        _ logger: Logger
    ) throws(StartupError) -> any ServedStore {
        var settings = PostgresFavoritesStore.Settings(
            capacity: capacity,
            maximumLists: maximumLists,
            maximumListsPerOwner: listsPerCaller,
            answers: retention.answers,
            changesPerList: retention.changesPerList
        )
        // A server that starts during a fail-over continues like the others.
        settings.openingTimeout = .seconds(10)
        let store: PostgresFavoritesStore
        do throws(FavoritesDatabaseError) {
            store = try PostgresFavoritesStore(
                DatabaseAddress(address),
                settings: settings,
                now: { .systemClock() },
                onWarning: { logger.warning("store", metadata: ["warning": "\($0)"]) },
                onError: { problems.report($0) },
                onRefusal: { onRefusal("\($0)") }
            )
        } catch {
            let code: StartupError.Code =
                switch error.code {
                case .invalidAddress, .invalidSetting: .configuration
                case .unreachable, .failed: .storage
                }
            throw StartupError(code, "\(error)")
        }
        logger.notice(
            "store opened",
            metadata: ["lists": .stringConvertible(store.listCount), "capacity": .stringConvertible(store.capacity)]
        )
        return store
    }

    private func log(_ report: StoreReport, _ logger: Logger) {
        logger.notice(
            "store opened",
            metadata: [
                "lists": .stringConvertible(report.listCount), "favorites": .stringConvertible(report.favoriteCount),
                "changes": .stringConvertible(report.changeCount), "answers": .stringConvertible(report.answerCount),
                "problems": .stringConvertible(report.problemCount),
            ]
        )
        if let renewal = report.renewal {
            logger.warning(
                "the favorites have a new history: watchers reload their lists",
                metadata: ["reason": "\(renewal)"]
            )
        }
        for notice in report.notices { logger.notice("store", metadata: ["edits": "\(notice)"]) }
        for problem in report.problems { logger.error("store", metadata: ["problem": "\(problem)"]) }
        if durability != .full {
            logger.warning("a power failure may lose acknowledged toggles", metadata: ["durability": "\(durability)"])
        }
    }
}

protocol ServedStore: FavoritesStore, FavoriteCharacters {
    var counters: Logger.Metadata { get }

    /// Nil while changes are accepted; otherwise they are refused until the store is opened again.
    var refusalText: String? { get }

    /// Nil after a commit. The next change is tried.
    var writeFailure: String? { get }

    /// Nil while the store is reachable.
    var unavailabilityText: String? { get }

    var listCount: Int { get }

    /// The damaged lists since the store was opened. They are refused.
    var damagedListCount: Int { get }

    /// Nil if the store is not a file.
    var logByteCount: Int? { get }

    var commitDurations: HistogramCounts { get }

    /// Nil for a store in a file.
    var database: StoreFigures? { get }

    var characterEdits: any EditStore { get }

    /// Shows the address to other programs that try to open the store.
    func noteAddress(_ address: String)

    /// Ends the work that keeps the store from closing, for example a long statement.
    func interrupt()

    func close() async
}

extension SQLiteFavoritesStore: ServedStore {
    var counters: Logger.Metadata { ["storeLogPages": .stringConvertible(logPageCount)] }

    var refusalText: String? { refusal.map { "\($0)" } }

    var unavailabilityText: String? { nil }

    var logByteCount: Int? { logPageCount * 4_096 }

    var database: StoreFigures? { nil }

    var characterEdits: any EditStore { edits }
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
}
