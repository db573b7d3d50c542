internal import ArgumentParser
internal import Catalog
internal import MarvelDomain
internal import Upstream

/// The source of the characters: a catalog of marvel-server that needs no other gateway.
enum LocalCatalog: ExpressibleByArgument, CustomStringConvertible {
    case builtIn
    /// Invented characters, always the same ones.
    case synthetic(count: Int)

    /// Reads `builtin` or `synthetic:N`.
    init?(argument: String) {
        switch try? CatalogSource(argument) {
        case .builtIn: self = .builtIn
        case .synthetic(let count): self = .synthetic(count: count)
        case .gateway, .file, nil: return nil
        }
    }

    var description: String {
        switch self {
        case .builtIn: "builtin"
        case .synthetic(let count): "synthetic:\(count)"
        }
    }

    func characters() -> [MarvelCharacter] {
        switch self {
        case .builtIn: BuiltInCatalog.characters()
        case .synthetic(let count): Array(SyntheticCharacters(count: count))
        }
    }
}
