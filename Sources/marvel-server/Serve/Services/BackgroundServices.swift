import MarvelService
import ServiceLifecycle

/// A service that watches for edits by other programs.
struct CurationService: Service {
    let curation: Curation

    func run() async throws {
        await cancelWhenGracefulShutdown { [curation] in await curation.run() }
    }
}

/// A service that runs the keeper of pictures.
struct PictureKeeperService: Service {
    let keeper: PictureKeeper

    func run() async throws {
        await cancelWhenGracefulShutdown { [keeper] in await keeper.run() }
    }
}

/// A service that verifies all answers and pictures of the store once, while the server serves.
struct RecordsCheckService: Service {
    let store: any ServedStore

    func run() async throws {
        await cancelWhenGracefulShutdown { [store] in
            await store.verify()
            // The service must not return, because the service group would stop all other services then.
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        }
    }
}
