/// A kind of catalog. It is part of page tokens, because only catalogs of one kind order the same names in the same
/// way.
package enum CatalogKind: UInt8, Sendable, Hashable, CaseIterable {
    case builtIn = 1
    case synthetic = 2
    case gateway = 3
    case file = 4
}
