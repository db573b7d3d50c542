import MarvelService
import ServiceLifecycle

/// Lets a service group run and stop the look at what other programs edit.
struct CurationService: Service {
    let curation: Curation

    func run() async throws {
        await cancelWhenGracefulShutdown { [curation] in await curation.run() }
    }
}
