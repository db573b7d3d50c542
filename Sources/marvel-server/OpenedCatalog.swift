import Catalog
import CurlTransport
import Logging
import MarvelAPI
import ProgramSupport
import RPCCore

/// A catalog and what has to be closed behind it.
struct OpenedCatalog {
    let catalog: any CharacterCatalog
    let pictures: any PictureSource
    private let gateway: OpenedGateway?

    /// - Parameters:
    ///   - options: Which catalog, and how a gateway is asked.
    ///   - environment: Where the keys for a gateway are.
    ///   - logger: Gets what a gateway's cache has to say.
    /// - Throws: `StartupError` if a gateway is wanted and there are no keys for it.
    init(_ options: ServerOptions, environment: [String: String], logger: Logger) async throws(StartupError) {
        switch options.catalog {
        case .builtIn:
            catalog = BuiltInCatalog.catalog()
            pictures = DrawnPictures()
            gateway = nil
        case .synthetic(let count):
            catalog = SyntheticCharacters(count: count).catalog()
            pictures = DrawnPictures()
            gateway = nil
        case .gateway(let url):
            guard let keys = try MarvelKeys.pair(environment: environment) else {
                throw StartupError(
                    .configuration,
                    "a gateway wants keys: set MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE"
                )
            }
            let transport: CurlTransport
            do {
                transport = try CurlTransport()
            } catch {
                throw StartupError(.configuration, "libcurl does not start: \(error)")
            }
            let gateway = await OpenedGateway(
                url,
                keys: keys,
                transport: transport,
                imageHosts: options.imageHost,
                cache: try options.cachePath(),
                options: options.gateway,
                logger: logger
            )
            catalog = gateway.catalog
            pictures = gateway.pictures
            self.gateway = gateway
        }
    }

    /// What a gateway's callers did, for the report of the server's counters.
    var counters: Logger.Metadata { gateway?.counters ?? [:] }

    func close() async {
        await gateway?.close()
    }
}
