import Catalog
import CatalogFiles
import CurlTransport
import Logging
import MarvelAPI
import RPCCore

/// A catalog file as the catalog, and what watches it and has to be closed behind it.
struct OpenedCatalogFile {
    let file: FollowedCatalogFile
    private let pictures: GatewayPictures
    private let transport: CurlTransport
    private let cache: OpenedCache

    /// - Parameters:
    ///   - path: Of the file.
    ///   - transport: How to fetch pictures that are not in it; closed with this.
    ///   - options: From where, and how many are kept.
    ///   - logger: Gets what the file says of itself.
    /// - Throws: `StartupError` if it cannot be served.
    init(
        _ path: String,
        transport: CurlTransport,
        options: ServerOptions,
        logger: Logger
    ) async throws(StartupError) {
        cache = try OpenedCache(options, logger: logger)
        pictures = cache.pictures(from: PictureHosts(of: nil, further: options.imageHost), by: transport)
        do {
            file = try await FollowedCatalogFile(path, otherPictures: pictures)
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

/// For the log.
extension CatalogDescription {
    var metadata: Logger.Metadata {
        [
            "characters": .stringConvertible(characterCount), "pictures": .stringConvertible(pictureCount),
            "attribution": .string(attribution),
        ]
    }
}
