import FavoritesPostgres
import MarvelService
import ServiceLifecycle

/// A service that keeps the health of the store up to date.
///
/// The server's own health does not depend on a database that cannot be reached: all servers of the database would stop
/// answering searches at the same time.
struct StoreHealthService: Service {
    /// The time between two looks. A connection that is made again at once is no news.
    private static let interval = Duration.milliseconds(500)

    let store: any ServedStore
    let health: ServiceHealth

    func run() async throws {
        await cancelWhenGracefulShutdown { [store, health] in
            while !Task.isCancelled {
                health.set(isServing: store.isHealthy)
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}

extension ServedStore {
    /// Whether changes are accepted, and those of other servers arrive.
    var isHealthy: Bool { refusalText == nil && database?.isHealthy ?? true }
}
