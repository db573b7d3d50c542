import CatalogFiles
import CurlTransport
import FavoritesSQLite
import Logging
import MarvelDomain
import RPCCore
import Upstream

/// An open catalog file, and the resources to close at the end.
struct OpenedCatalogFile {
    let file: FollowedCatalogFile
    private let pictures: GatewayPictures
    private let transport: CurlTransport
    let cache: OpenedCache

    /// `transport` is for pictures that are not in the file; it is closed together with this.
    ///
    /// - Throws: `StartupError` if the file cannot be served.
    init(
        _ path: String,
        transport: CurlTransport,
        settings: ServerValues,
        logger: Logger
    ) async throws(StartupError) {
        cache = try OpenedCache(settings, logger: logger)
        pictures = cache.pictures(
            from: PictureHosts(of: nil, further: settings.imageHosts),
            by: TracedFetcher(transport)
        )
        do {
            file = try await FollowedCatalogFile(path, otherPictures: pictures, now: { .systemClock() })
        } catch {
            throw StartupError(.storage, "\(error)")
        }
        self.transport = transport
        logger.notice("catalog opened", metadata: file.servedDescription.metadata)
    }

    var counters: Logger.Metadata { cache.counters }

    func close() async {
        pictures.shutDown()
        await transport.shutdown()
        await cache.file.close()
    }
}

extension CatalogDescription {
    var metadata: Logger.Metadata {
        [
            "characters": .stringConvertible(characterCount), "pictures": .stringConvertible(pictureCount),
            "attribution": .string(attribution),
        ]
    }
}
