import Catalog
import MarvelDomain
import NIOCore
import RPCCore

/// Searches of one catalog, each for a full page.
struct PageSearches {
    private static let pageSize = 10
    /// The number of times that all searches are made in one measurement.
    private static let repetitions = 200

    private let catalog: any CharacterCatalog
    private let searches: [(query: SearchQuery, offset: Int)]
    private let countPerMeasurement: Int

    /// - Parameters:
    ///   - catalog: One that answers from memory.
    ///   - queries: What to search for, each with a page's results at least.
    ///   - anywhere: Whether to ask for a page anywhere in the results; else for the first one. Many places for each
    ///     query then, so that they are not in the caches because they were asked for before.
    /// - Throws: If the catalog does not answer.
    init(_ catalog: any CharacterCatalog, _ queries: [SearchQuery], anywhere: Bool = false) throws {
        self.catalog = catalog
        countPerMeasurement = Self.repetitions * queries.count
        searches = try queries.flatMap { query in
            let last = try Self.page(of: catalog, query, offset: 0).total - Self.pageSize
            return (0..<(anywhere ? Self.repetitions : 1)).map { _ in (query, anywhere ? .random(in: 0...last) : 0) }
        }
        .shuffled()
    }

    /// - Returns: Nanoseconds for each search, with its page copied as an answer's would be.
    /// - Throws: If the catalog does not answer.
    func time() throws -> Double {
        var buffer = ByteBuffer()
        let start = monotonicTime()
        for number in 0..<countPerMeasurement {
            let search = searches[number % searches.count]
            buffer.clear()
            let page = try Self.page(of: catalog, search.query, offset: search.offset)
            buffer.write(byteCount: page.encoded.byteCount) { page.encoded.write(to: &$0) }
        }
        return Double(monotonicTime() - start) / Double(countPerMeasurement)
    }

    /// The beginnings of the catalog's names, two to four letters long, that a page's names or more begin with.
    static func queries(withFullPagesIn catalog: any CharacterCatalog, count: Int) throws -> [SearchQuery] {
        let names = SyntheticCharacters(count: count).map(\.name)
        let beginnings = Set(names.flatMap { name in (2...4).map { String(name.prefix($0)).lowercased() } })
        return try beginnings.sorted().compactMap { beginning in
            // A beginning that ends in a space is trimmed, and then it is one of the others or too short.
            guard let query = try? SearchQuery(beginning), query.text == beginning else { return nil }
            return try page(of: catalog, query, offset: 0).total >= pageSize ? query : nil
        }
    }

    private static func page(
        of catalog: any CharacterCatalog,
        _ query: SearchQuery,
        offset: Int
    ) throws -> CharacterPage {
        switch try catalog.search(query, match: .prefix, offset: offset, limit: pageSize) {
        case .ready(let page): return page
        case .later: throw BenchmarkError("a catalog in memory does not answer at once")
        }
    }
}
