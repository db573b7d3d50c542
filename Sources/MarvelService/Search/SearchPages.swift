internal import Catalog
internal import RPCCore
internal import WireMessages

/// The pages of a search from one offset on. It fits into an existential without a box.
struct SearchPages: MessageSource {
    let search: CharacterSearch
    let offset: Int
    /// At least 1.
    let pagesLeft: Int

    func next() throws(RPCError) -> Step {
        let lookup: Lookup<CharacterPage>
        do throws(CatalogError) {
            lookup = try search.catalog.search(
                search.query,
                match: search.match,
                offset: offset,
                limit: search.pageSize
            )
        } catch {
            throw RPCError(error)
        }
        // The hot path: a page from memory needs no closure, and is moved, not copied.
        switch consume lookup {
        case .ready(let page): return step(page)
        case .later(let fetch): return try Lookup.later(fetch).step(step)
        }
    }

    private func step(_ page: consuming CharacterPage) -> Step {
        let rest = page.nextOffset.flatMap { next in
            pagesLeft > 1 ? SearchPages(search: search, offset: next, pagesLeft: pagesLeft - 1) : nil
        }
        return .message(SplicedPage(page, in: search), then: rest)
    }
}
