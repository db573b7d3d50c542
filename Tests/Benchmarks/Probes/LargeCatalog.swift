import Catalog

/// A million characters that can be searched, and how long it took until they could be.
struct LargeCatalog {
    static let count = 1_000_000

    let catalog: InMemoryCatalog
    /// Seconds.
    let buildTime: Double

    init() {
        Progress.show("a catalog of \(Self.count) characters")
        let start = monotonicTime()
        catalog = SyntheticCharacters(count: Self.count).catalog()
        buildTime = Double(monotonicTime() - start) / 1e9
    }
}
