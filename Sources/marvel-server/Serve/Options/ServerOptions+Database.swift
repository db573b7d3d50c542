import FavoritesPostgres
import FavoritesSQLite
import Logging
import MarvelDomain
import MarvelService
import ProgramSupport
import RPCCore

/// A store in a database that several servers share.
extension ServerOptions {
    /// Opens the store, and logs its contents.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - maximumListsPerOwner: Lists that a caller with a name may own; 0 for any number.
    ///   - logger: The logger for the store's report and later problems.
    ///   - health: The health of the service, which stops serving if the store takes no more changes until a restart. A
    ///     database that cannot be reached does not change it: all servers would stop at the same time.
    /// - Returns: The store, to be closed at the end.
    /// - Throws: `StartupError` if the store cannot be opened.
    func openDatabase(
        _ address: String,
        maximumListsPerOwner: Int,
        _ logger: Logger,
        _ health: ServiceHealth
    ) throws(StartupError) -> any ServedStore {
        guard durability == .full else {
            throw StartupError(.configuration, "--durability is for a store in a file: a database has its own settings")
        }
        let problems = ProblemLog("store", logger)
        var settings = PostgresFavoritesStore.Settings(
            capacity: capacity,
            maximumLists: maxLists,
            maximumListsPerOwner: maximumListsPerOwner,
            answers: retention.retention.answers,
            changesPerList: retention.retention.changesPerList
        )
        // A server that starts during a fail-over goes on as the others do.
        settings.openingTimeout = .seconds(10)
        let store: PostgresFavoritesStore
        do throws(FavoritesDatabaseError) {
            store = try PostgresFavoritesStore(
                DatabaseAddress(address),
                settings: settings,
                now: { .systemClock() },
                onWarning: { logger.warning("store", metadata: ["warning": "\($0)"]) },
                onError: { problems.report($0) },
                onRefusal: { reason in
                    health.stopServing()
                    logger.critical("favorites can only be read until a restart", metadata: ["reason": "\(reason)"])
                }
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
}
