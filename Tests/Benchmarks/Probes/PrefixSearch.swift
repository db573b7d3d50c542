import Catalog
import MarvelDomain

/// The growth of a prefix search's time with the catalog: the same searches in a small one and in a large one.
struct PrefixSearch: Encodable {
    static let smallCount = 1_000

    /// Nanoseconds for the first page of a search, found and copied; the middle of all rounds.
    let smallTime: Double
    let largeTime: Double
    /// The middle of the rounds' ratios.
    let ratio: Double
    /// The same for pages anywhere in the results. Hardly one of the large catalog's is in the processor's caches then,
    /// and each of the small one's is.
    let anywhereRatio: Double
    /// Seconds until the large catalog could be searched.
    let buildTime: Double

    init(_ largeCatalog: LargeCatalog, rounds: Int) throws {
        Progress.show("prefix search over \(LargeCatalog.count) names")
        let small = SyntheticCharacters(count: Self.smallCount).catalog()
        let large = largeCatalog.catalog
        buildTime = largeCatalog.buildTime

        let queries = try PageSearches.queries(withFullPagesIn: small, count: Self.smallCount)
        let first = (try PageSearches(small, queries), try PageSearches(large, queries))
        let anywhere = (
            try PageSearches(small, queries, anywhere: true), try PageSearches(large, queries, anywhere: true)
        )
        var times: [(small: Double, large: Double)] = []
        var anywhereRatios: [Double] = []
        for _ in 0..<rounds {
            times.append((try first.0.time(), try first.1.time()))
            let smallTime = try anywhere.0.time()
            anywhereRatios.append(try anywhere.1.time() / smallTime)
        }
        smallTime = times.map(\.small).median
        largeTime = times.map(\.large).median
        ratio = times.map { $0.large / $0.small }.median
        anywhereRatio = anywhereRatios.median
    }

    var bars: [Bar] {
        [
            Bar("prefix search: 1,000,000 names, to 1,000", ratio, atMost: 3),
            Bar("start-up: building the index of 1,000,000 names", buildTime, atMost: 4, "s"),
        ]
    }
}
