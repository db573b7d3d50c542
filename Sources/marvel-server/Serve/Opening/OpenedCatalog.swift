import Catalog
import CatalogFiles
import CurlTransport
import FavoritesSQLite
import Logging
import MarvelDomain
import ProgramSupport
import RPCCore
import Upstream

/// An open catalog with its pictures, and the resources to close at the end.
struct OpenedCatalog {
    let catalog: any CharacterCatalog
    /// Nil if the characters cannot be edited.
    var editable: EditableCatalog? { catalog as? EditableCatalog }
    let pictures: any PictureSource
    private var gateway: OpenedGateway?
    private var file: OpenedCatalogFile?

    /// `environment` has the keys for a gateway.
    ///
    /// - Throws: `StartupError` if the keys for a gateway are missing, or if a file cannot be served.
    init(_ settings: ServerValues, environment: [String: String], logger: Logger) async throws(StartupError) {
        switch settings.catalog {
        case .builtIn:
            catalog = EditableCatalog(BuiltInCatalog.catalog(), loadedAt: .systemClock())
            pictures = DrawnPictures()
        case .synthetic(let count):
            catalog = EditableCatalog(SyntheticCharacters(count: count).catalog(), loadedAt: .systemClock())
            pictures = DrawnPictures()
        case .gateway(let url):
            guard let keys = try MarvelKeys.pair(environment: environment) else {
                throw StartupError(
                    .configuration,
                    "a gateway needs keys: set MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE"
                )
            }
            let gateway = try await OpenedGateway(
                url,
                keys: keys,
                transport: try OpenedCatalog.transport(),
                settings: settings,
                logger: logger
            )
            catalog = gateway.catalog
            pictures = gateway.pictures
            self.gateway = gateway
        case .file(let path):
            let file = try await OpenedCatalogFile(
                path,
                transport: try OpenedCatalog.transport(),
                settings: settings,
                logger: logger
            )
            catalog = file.file.catalog
            pictures = file.file.pictures
            self.file = file
        }
    }

    private static func transport() throws(StartupError) -> CurlTransport {
        do {
            return try CurlTransport()
        } catch {
            throw StartupError(.configuration, "cannot start libcurl: \(error)")
        }
    }

    /// The service that follows a catalog file, if any.
    func service(_ logger: Logger) -> BackgroundService? {
        guard let file = file?.file else { return nil }
        return BackgroundService("catalog file", every: .seconds(1)) { await file.follow(logger) }
    }

    /// The cache file of pictures; nil if all pictures are drawn.
    var cache: CacheFile? { gateway?.file ?? file?.cache.file }

    /// The state of the calls to a gateway, and their counters; nil without a gateway.
    var upstream: (status: UpstreamStatus, counts: UpstreamCounts)? { gateway.map { ($0.status, $0.counts) } }

    var counters: Logger.Metadata { gateway?.counters ?? file?.counters ?? [:] }

    func close() async {
        await gateway?.close()
        await file?.close()
    }
}
