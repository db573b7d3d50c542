import Catalog
import CurlTransport
import Foundation
import MarvelAPI
import ProgramSupport
import RPCCore

/// A catalog and what has to be closed behind it.
struct OpenedCatalog {
    let catalog: any CharacterCatalog
    private let transport: CurlTransport?

    /// - Parameters:
    ///   - source: Which catalog.
    ///   - environment: Where the keys for a gateway are.
    /// - Throws: `StartupError` if a gateway is wanted and there are no keys for it.
    init(_ source: CatalogSource, environment: [String: String]) throws(StartupError) {
        switch source {
        case .builtIn:
            catalog = BuiltInCatalog.catalog()
            transport = nil
        case .synthetic(let count):
            catalog = SyntheticCharacters(count: count).catalog()
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
            self.transport = transport
        }
    }

    func close() async {
        await transport?.shutdown()
    }
}
