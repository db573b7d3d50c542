import Catalog
import CatalogFiles
import CurlTransport
import Logging
import MarvelAPI
import ProgramSupport
import RPCCore
import ServiceLifecycle

/// A catalog and what has to be closed behind it.
struct OpenedCatalog {
    let catalog: any CharacterCatalog
    /// The same, where its characters can be edited.
    var editable: EditableCatalog? { catalog as? EditableCatalog }
    let pictures: any PictureSource
    private var gateway: OpenedGateway?
    private var file: OpenedCatalogFile?

    /// - Parameters:
    ///   - options: Which catalog, and how a gateway is asked.
    ///   - environment: Where the keys for a gateway are.
    ///   - logger: Gets what a catalog file or a gateway's cache says of itself.
    /// - Throws: `StartupError` if a gateway is wanted and there are no keys for it, or a file that cannot be served.
    init(_ options: ServerOptions, environment: [String: String], logger: Logger) async throws(StartupError) {
        switch options.catalog {
        case .builtIn:
            catalog = EditableCatalog(BuiltInCatalog.catalog())
            pictures = DrawnPictures()
        case .synthetic(let count):
            catalog = EditableCatalog(SyntheticCharacters(count: count).catalog())
            pictures = DrawnPictures()
        case .gateway(let url):
            guard let keys = try MarvelKeys.pair(environment: environment) else {
                throw StartupError(
                    .configuration,
                    "a gateway wants keys: set MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE"
                )
            }
            let gateway = try await OpenedGateway(
                url,
                keys: keys,
                transport: try OpenedCatalog.transport(),
                options: options,
                logger: logger
            )
            catalog = gateway.catalog
            pictures = gateway.pictures
            self.gateway = gateway
        case .file(let path):
            let file = try await OpenedCatalogFile(
                path,
                transport: try OpenedCatalog.transport(),
                options: options,
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
            throw StartupError(.configuration, "libcurl does not start: \(error)")
        }
    }

    /// What runs beside the server: it tells `logger` what becomes of a catalog file, and calls `onReplaced` when another
    /// has taken its place.
    func services(
        _ logger: Logger,
        onReplaced: @escaping @Sendable () async -> Void
    ) -> [any ServiceLifecycle.Service] {
        file.map { [CatalogFileService(file: $0.file, logger: logger, onReplaced: onReplaced)] } ?? []
    }

    /// What was fetched and what was kept, for the report of the server's counters.
    var counters: Logger.Metadata { gateway?.counters ?? file?.counters ?? [:] }

    func close() async {
        await gateway?.close()
        await file?.close()
    }
}
