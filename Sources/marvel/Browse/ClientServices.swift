internal import Browse
internal import MarvelClient
internal import MarvelDomain
internal import TerminalUI

/// The service and the local machine, in the form that the app needs.
struct ClientServices: BrowseServices {
    let client: MarvelClient
    let servers: [ServerEndpoint]
    let list: ListName
    /// The timeout of a call with one response.
    let timeout: Duration
    let recentSearches: RecentSearchesFile
    let pictures = PictureWorker()

    func search(_ request: SearchRequest) -> any AsyncSequence<FoundPage, FailureNotice> {
        let pages = client.searchCharacters(
            request.query.text,
            match: request.match,
            pageSize: request.pageSize,
            pageToken: request.pageToken,
            skip: request.skip,
            list: list
        )
        return FoundPageSequence(pages: pages, servers: servers)
    }

    func suggestions(typed: String) async throws(FailureNotice) -> [NameSuggestion] {
        try await call { () throws(RPCError) in try await client.suggestNames(typed, timeout: timeout).suggestions }
    }

    func liveFavorites() -> any AsyncSequence<FavoritesState, Never> {
        client.connectNow()
        return client.liveFavorites(list: list).map { FavoritesState($0, servers: servers) }
    }

    func toggle(_ characterID: Int64, _ desired: Toggle.Desired) async throws(FailureNotice) -> ToggleResult {
        let desired = DesiredFavorite(desired)
        return try await call { () throws(RPCError) in
            try await client.toggleFavorite(characterID, desired: desired, list: list, timeout: timeout)
        }
    }

    func picture(_ key: PictureKey) async throws(FailureNotice) -> PixelImage? {
        let picture: CharacterPicture
        do {
            picture = try await client.thumbnail(of: key.characterID, variant: key.size.variant, timeout: timeout)
        } catch {
            if error.code == .notFound { return nil }
            throw FailureNotice(error, servers)
        }
        guard !picture.isPlaceholder else { return nil }
        do {
            return try await pictures.image(picture.bytes, for: key.size)
        } catch {
            throw FailureNotice("The picture cannot be read.", canRetry: false)
        }
    }

    func loadRecentSearches() async -> [String] { await recentSearches.load() }

    func saveRecentSearches(_ queries: [String]) async { await recentSearches.save(queries) }

    private func call<Answer>(_ body: () async throws(RPCError) -> Answer) async throws(FailureNotice) -> Answer {
        do {
            return try await body()
        } catch {
            throw FailureNotice(error, servers)
        }
    }
}

/// The pages of a search, with texts for errors.
private struct FoundPageSequence: AsyncSequence {
    let pages: SearchPages
    let servers: [ServerEndpoint]

    func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator(), servers: servers) }

    struct Iterator: AsyncIteratorProtocol {
        var pages: SearchPages.Iterator
        let servers: [ServerEndpoint]

        mutating func next() async throws(FailureNotice) -> FoundPage? { try await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(FailureNotice) -> FoundPage? {
            do {
                return try await pages.next(isolation: actor).map(FoundPage.init)
            } catch {
                throw FailureNotice(error, servers)
            }
        }
    }
}
