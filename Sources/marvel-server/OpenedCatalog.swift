import Catalog
import CurlTransport
import Foundation
import MarvelAPI
import ProgramSupport
import RPCCore

/// A catalog and what has to be closed behind it.
struct OpenedCatalog {
    let catalog: any CharacterCatalog
    /// The same, where its characters can be edited.
    let editable: EditableCatalog?
    let pictures: any PictureSource
    private let transport: CurlTransport?

    /// - Parameters:
    ///   - source: Which catalog.
    ///   - imageHosts: Where a gateway's pictures may be, beside the usual.
    ///   - environment: Where the keys for a gateway are.
    /// - Throws: `StartupError` if a gateway is wanted and there are no keys for it.
    init(
        _ source: CatalogSource,
        imageHosts: [PictureHost],
        environment: [String: String]
    ) throws(StartupError) {
        switch source {
        case .builtIn:
            let editable = EditableCatalog(BuiltInCatalog.catalog())
            self.editable = editable
            catalog = editable
            pictures = DrawnPictures()
            transport = nil
        case .synthetic(let count):
            let editable = EditableCatalog(SyntheticCharacters(count: count).catalog())
            self.editable = editable
            catalog = editable
            pictures = DrawnPictures()
            transport = nil
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
            let client = MarvelAPIClient(gateway: url, keys: keys, transport: transport) {
                "\(Int(Date().timeIntervalSince1970))"
            }
            catalog = GatewayCatalog(client: client)
            editable = nil
            let hosts = PictureHosts(of: url, further: imageHosts)
            pictures = GatewayPictures(client: PictureClient(hosts: hosts, transport: transport))
            self.transport = transport
        }
    }

    func close() async {
        await transport?.shutdown()
    }
}
