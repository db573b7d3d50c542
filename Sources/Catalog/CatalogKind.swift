/// The kinds of catalog. Two of a kind order the same names alike; another kind may not, so page tokens name it.
package enum CatalogKind: UInt8, Sendable, Hashable, CaseIterable {
    case builtIn = 1
    case synthetic = 2
    case gateway = 3
    case file = 4
}
