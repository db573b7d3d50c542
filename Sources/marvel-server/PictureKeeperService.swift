import MarvelService
import ServiceLifecycle

/// Lets a service group run and stop the keeper of pictures.
struct PictureKeeperService: Service {
    let keeper: PictureKeeper

    func run() async throws {
        await cancelWhenGracefulShutdown { [keeper] in await keeper.run() }
    }
}
