import Catalog
import Foundation
import MarvelDomain
import NIOCore
import RPCCore

/// The times of searches of a million names by each match.
struct NameSearches: Encodable {
    struct Row: Encodable {
        let match: String
        let queries: Int
        /// Milliseconds for the first page, found and copied.
        let p50: Double
        let p99: Double
    }

    private static let count = 1_000_000

    let rows: [Row]
    /// Seconds until the catalog could be searched.
    let buildTime: Double

    init(pace: Pace) throws {
        Progress.show("a catalog of \(Self.count) characters")
        let start = monotonicTime()
        let catalog = SyntheticCharacters(count: Self.count).catalog()
        buildTime = Double(monotonicTime() - start) / 1e9
        let names = SyntheticCharacters(count: Self.count).map(\.name)
        rows = try Match.allCases.map { match in
            Progress.show("searches by \(match)")
            let queries = TypedQueries(for: names, match, count: pace.searches).texts
            let own = try queries.map { text in try Self.milliseconds { try Self.search(catalog, text, match) } }
            return Row(
                match: "\(match)",
                queries: queries.count,
                p50: own.percentile(50),
                p99: own.percentile(99)
            )
        }
    }

    /// For people.
    var table: String {
        var table = TextTable(["1,000,000 names", "p50 ms", "p99 ms"])
        for row in rows { table.add([row.match] + [row.p50, row.p99].map { String(format: "%.3f", $0) }) }
        return table.description + "\nThe first page of a search, on one core."
    }

    var bars: [Bar] {
        rows.map { row in
            row.match == "\(Match.prefix)"
                ? Bar("search of 1,000,000 names: \(row.match), p99", row.p99 * 1e3, atMost: 50, "us")
                : Bar("search of 1,000,000 names: \(row.match), p99", row.p99, atMost: 60, "ms")
        } + [Bar("start-up: building the index of 1,000,000 names", buildTime, atMost: 4, "s")]
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = monotonicTime()
        try body()
        return Double(monotonicTime() - start) / 1e6
    }

    /// Searches as a call does: at once, or behind the event loop, which waits here.
    private static func search(_ catalog: InMemoryCatalog, _ text: String, _ match: Match) throws {
        let page: CharacterPage
        switch try catalog.search(SearchQuery(text), match: match, at: PagePlace(), limit: 10) {
        case .ready(let found): page = found
        case .later(let search): page = try wait { try await search() }
        }
        var buffer = ByteBuffer()
        buffer.write(byteCount: page.encoded.byteCount) { page.encoded.write(to: &$0) }
    }
}
