internal import ArgumentParser
internal import Catalog
internal import CatalogFiles
internal import GatewayHTTP
internal import MarvelDomain
internal import RPCCore
internal import Upstream

/// The source of the characters: a catalog of marvel-server that needs no other gateway.
enum LocalCatalog: ExpressibleByArgument, CustomStringConvertible {
    case builtIn
    /// Invented characters, always the same ones.
    case synthetic(count: Int)

    /// Made by an import.
    case file(path: String)

    /// Reads `builtin`, `synthetic:N`, or the path of a file.
    init?(argument: String) {
        switch try? CatalogSource(argument) {
        case .builtIn: self = .builtIn
        case .synthetic(let count): self = .synthetic(count: count)
        case .file(let path): self = .file(path: path)
        case .gateway, nil: return nil
        }
    }

    var description: String {
        switch self {
        case .builtIn: "builtin"
        case .synthetic(let count): "synthetic:\(count)"
        case .file(let path): path
        }
    }

    /// - Throws: `StartupError`.
    func load() throws(StartupError) -> (ServedCharacters, documents: (any DocumentSource)?) {
        switch self {
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
