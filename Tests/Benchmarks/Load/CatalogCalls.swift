import Catalog
import MarvelDomain
import NIOCore
import WireMessages

/// The names of a synthetic catalog in the order of results, and the calls that search them. The calls are drawn at
/// random, the same in every run.
struct CatalogCalls {
    private struct Name {
        let folded: [UInt8]
        let character: MarvelCharacter
    }

    /// A search of a page or of several.
    private struct Search {
        let query: SearchQuery
        /// The positions of its results.
        let results: Range<Int>
        /// The results before the first page.
        let offset: Int
        /// Whether a token names the first page. If not, results are skipped.
        let hasToken: Bool
        /// The list whose favorites are marked, if any.
        let list: Int?
    }

    private static let seed: UInt64 = 616
    private static let listCount = 256
    private static let favoritesPerList = 5

    private let names: [Name]

    init(count: Int) {
        names = SyntheticCharacters(count: count)
            .map { Name(folded: FoldedName($0.name).utf8, character: $0) }
            .sorted { left, right in
                if left.folded != right.folded { return left.folded.lexicographicallyPrecedes(right.folded) }
                let (leftName, rightName) = (left.character.name, right.character.name)
                if leftName.utf8.elementsEqual(rightName.utf8) { return left.character.id < right.character.id }
                return leftName.utf8.lexicographicallyPrecedes(rightName.utf8)
            }
    }

    /// Pages of prefixes, a third each from the start, after skipped results, and at a token. Half of them mark the
    /// favorites of one of 256 lists.
    func pages() throws -> [RequestEnvelope] { try searches(2...6, pages: 1).map { try call($0, pages: 1) } }

    func streams() throws -> [RequestEnvelope] {
        let pages = Workload.pagesPerStream
        return try searches(2...3, pages: pages).map { try call($0, pages: pages) }
    }

    /// Texts that at least three names begin with, each another one: no similar names are looked for.
    func suggestions() -> [RequestEnvelope] {
        var numbers = SplitMix64(seed: Self.seed)
        var (seen, calls): (Set<String>, [RequestEnvelope]) = ([], [])
        // A small catalog has fewer such texts.
        for _ in 0..<100 * Workload.callCount where calls.count < Workload.callCount {
            // Several characters may share a name.
            guard let (text, results) = prefix(of: 1...8, using: &numbers),
                Set(results.prefix(100).map { names[$0].character.name }).count >= 3, seen.insert(text).inserted
            else { continue }
            calls.append(RequestEnvelope("SuggestNames", SuggestNamesRequest(query: text)))
        }
        return calls
    }

    /// Toggles that fill the lists of the pages with characters of these pages.
    func marks() throws -> [RequestEnvelope] {
        var favorites: [Int: [Int64]] = [:]
        for search in try searches(2...6, pages: 1) {
            guard let list = search.list else { continue }
            let id = names[search.results.lowerBound + search.offset + list % Workload.pageSize].character.id
            let own = favorites[list] ?? []
            if own.count < Self.favoritesPerList, !own.contains(id) { favorites[list] = own + [id] }
        }
        return favorites.sorted { $0.key < $1.key }.flatMap { list, ids in
            ids.map { id in
                let toggle = ToggleFavoriteRequest(list: Self.listName(list), characterID: id, desired: .saved)
                return RequestEnvelope("ToggleFavorite", toggle)
            }
        }
    }

    /// The catalog as the references read it: the number of characters, the tail of all pages, and for each character
    /// its id, its folded name and its bytes in a page. A length is before all that vary.
    func catalogFile() -> ByteBuffer {
        func write(_ bytes: ByteBuffer, to file: inout ByteBuffer) {
            file.writeInteger(UInt32(bytes.readableBytes))
            file.writeImmutableBuffer(bytes)
        }
        let freshness = Freshness(source: .synthetic, age: .zero, isStale: false)
        let tail = Provenance(attribution: SyntheticCharacters.attribution, freshness: freshness).encodedPageTail
        var file = ByteBuffer(integer: UInt32(names.count))
        write(tail, to: &file)
        for name in names {
            var character = ByteBuffer()
            SearchCharactersResponse.writeCharacter(name.character, into: &character)
            file.writeInteger(name.character.id)
            write(ByteBuffer(bytes: name.folded), to: &file)
            write(character, to: &file)
        }
        return file
    }

    // MARK: Searches

    private static func listName(_ number: Int) -> String { "marked-\(number)" }

    private func searches(_ lengths: ClosedRange<Int>, pages: Int) throws -> [Search] {
        var numbers = SplitMix64(seed: Self.seed)
        var searches: [Search] = []
        while searches.count < Workload.callCount {
            let least = pages * Workload.pageSize
            guard let (text, results) = prefix(of: lengths, using: &numbers), results.count >= least else { continue }
            let kind = searches.count % 3
            searches.append(
                Search(
                    query: try SearchQuery(Bool.random(using: &numbers) ? text : text.uppercased()),
                    results: results,
                    offset: kind == 0 ? 0 : .random(in: 0...results.count - least, using: &numbers),
                    hasToken: kind == 2,
                    list: Bool.random(using: &numbers) ? .random(in: 0..<Self.listCount, using: &numbers) : nil
                )
            )
        }
        return searches
    }

    private func call(_ search: Search, pages: Int) throws -> RequestEnvelope {
        let usesToken = search.hasToken && search.offset > 0
        let token = PageToken(
            PagePlace(
                offset: search.offset,
                lastID: usesToken ? names[search.results.lowerBound + search.offset - 1].character.id : 0
            ),
            fingerprint: SearchFingerprint(query: search.query, match: .prefix, catalog: .synthetic)
        )
        let request = SearchCharactersRequest(
            query: search.query.text,
            pageSize: Int32(Workload.pageSize),
            pageToken: usesToken ? token.text : "",
            skip: usesToken ? 0 : Int32(search.offset),
            maxPages: Int32(pages),
            list: search.list.map(Self.listName) ?? ""
        )
        return RequestEnvelope("SearchCharacters", request)
    }

    /// The beginning of a random name, and the positions of all names that begin with it; nil if it is not ASCII, or
    /// ends with a space, which a search does not see.
    private func prefix(
        of lengths: ClosedRange<Int>,
        using numbers: inout SplitMix64
    ) -> (text: String, results: Range<Int>)? {
        let name = names[Int.random(in: names.indices, using: &numbers)].folded
        let prefix = name.prefix(.random(in: lengths, using: &numbers))
        guard prefix.count >= lengths.lowerBound, prefix.last != UInt8(ascii: " "), prefix.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let first = partitionPoint(names.indices) { !names[$0].folded.lexicographicallyPrecedes(prefix) }
        let end = partitionPoint(first..<names.count) { !names[$0].folded.starts(with: prefix) }
        return (String(decoding: prefix, as: UTF8.self), first..<end)
    }
}
