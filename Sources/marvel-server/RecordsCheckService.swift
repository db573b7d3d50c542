import FavoritesSQLite
import ServiceLifecycle

/// Looks at all answers and pictures of the store once, while the server serves.
struct RecordsCheckService: Service {
    let store: SQLiteFavoritesStore

    func run() async throws {
        await cancelWhenGracefulShutdown { [store] in
            _ = await store.verifyRecords()
            // A service that ends would end the others.
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        }
    }
}
