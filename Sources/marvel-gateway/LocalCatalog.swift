internal import ArgumentParser
internal import Catalog
internal import CatalogFiles
internal import GatewayHTTP
internal import MarvelDomain
internal import RPCCore
package import Upstream

/// The catalogs of marvel-server, except a gateway.
extension CatalogSource: ExpressibleByArgument {
    package init?(argument: String) {
        guard let source = try? CatalogSource(argument) else { return nil }
        if case .gateway = source { return nil }
        self = source
    }

    /// - Throws: `StartupError`.
    func load() throws(StartupError) -> (ServedCharacters, documents: (any DocumentSource)?) {
        switch self {
        case .gateway: throw StartupError(.configuration, "a gateway cannot serve another gateway")
        case .builtIn: return (ServedCharacters(BuiltInCatalog.characters()), nil)
        case .synthetic(let count): return (ServedCharacters(Array(SyntheticCharacters(count: count))), nil)
        case .file(let path):
            do {
                let reader = try CatalogFileReader(path)
                return (ServedCharacters(try reader.withCharacters { Array($0) }), reader)
            } catch {
                throw StartupError(.storage, "\(error)")
            }
        }
    }
}
