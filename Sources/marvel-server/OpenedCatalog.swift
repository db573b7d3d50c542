import Catalog
import CatalogFiles
import CurlTransport
import Foundation
import Logging
import MarvelAPI
import ProgramSupport
import RPCCore
import ServiceLifecycle

/// A catalog and what has to be closed behind it.
struct OpenedCatalog {
    let catalog: any CharacterCatalog
    /// The same, where its characters can be edited.
    let editable: EditableCatalog?
    let pictures: any PictureSource
    private let transport: CurlTransport?
    private let file: OpenedCatalogFile?

    /// - Parameters:
    ///   - source: Which catalog.
    ///   - imageHosts: Where a gateway's pictures may be, beside the usual.
    ///   - environment: Where the keys for a gateway are.
    ///   - logger: Gets what a catalog file says of itself.
    /// - Throws: `StartupError` if a gateway is wanted and there are no keys for it, or a file that cannot be served.
    init(
        _ source: CatalogSource,
        imageHosts: [PictureHost],
        environment: [String: String],
        logger: Logger
    ) async throws(StartupError) {
        switch source {
        case .builtIn:
            let editable = EditableCatalog(BuiltInCatalog.catalog())
            self.editable = editable
            catalog = editable
            pictures = DrawnPictures()
            transport = nil
            file = nil
        case .synthetic(let count):
            let editable = EditableCatalog(SyntheticCharacters(count: count).catalog())
            self.editable = editable
            catalog = editable
            pictures = DrawnPictures()
            transport = nil
            file = nil
        case .gateway(let url):
            guard let keys = try MarvelKeys.pair(environment: environment) else {
                throw StartupError(
                    .configuration,
                    "a gateway wants keys: set MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE"
                )
            }
            let transport = try OpenedCatalog.transport()
            let client = MarvelAPIClient(gateway: url, keys: keys, transport: transport) {
                "\(Int(Date().timeIntervalSince1970))"
            }
            catalog = GatewayCatalog(client: client)
            editable = nil
            let hosts = PictureHosts(of: url, further: imageHosts)
            pictures = GatewayPictures(client: PictureClient(hosts: hosts, transport: transport))
            self.transport = transport
            file = nil
        case .file(let path):
            let file = try await OpenedCatalogFile(
                path,
                imageHosts: imageHosts,
                transport: try OpenedCatalog.transport(),
                logger: logger
            )
            editable = file.file.catalog
            catalog = file.file.catalog
            pictures = file.file.pictures
            transport = nil
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

    func close() async {
        await transport?.shutdown()
        await file?.close()
    }
}
