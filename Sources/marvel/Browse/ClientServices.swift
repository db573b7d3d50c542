internal import Browse
internal import MarvelClient
internal import MarvelDomain
internal import TerminalUI

/// The service and this machine, as the app needs them.
struct ClientServices: BrowseServices {
    let client: MarvelClient
    let servers: [ServerAddress]
    let list: ListName
    /// For a call that answers once.
    let timeout: Duration
    let recentSearches: RecentSearchesFile
    let pictures = PictureWorker()

    func search(_ request: SearchRequest) -> any AsyncSequence<FoundPage, Trouble> {
        let pages = client.searchCharacters(
            request.query.text,
            match: request.match,
            pageSize: request.pageSize,
            pageToken: request.pageToken,
            skip: request.skip,
            list: list
        )
        return FoundPages(pages: pages, servers: servers)
    }

    func suggestions(typed: String) async throws(Trouble) -> [NameSuggestion] {
        try await call { () throws(RPCError) in try await client.suggestNames(typed, timeout: timeout).suggestions }
    }

    func liveFavorites() -> any AsyncSequence<FavoritesState, Never> {
        client.connectNow()
        return client.liveFavorites(list: list).map { FavoritesState($0, servers: servers) }
    }

    func toggle(_ characterID: Int64, _ desired: Toggle.Desired) async throws(Trouble) -> ToggleResult {
        let desired = DesiredFavorite(desired)
        return try await call { () throws(RPCError) in
            try await client.toggleFavorite(characterID, desired: desired, list: list, timeout: timeout)
        }
    }

    func picture(_ key: PictureKey) async throws(Trouble) -> PixelImage? {
        let picture: CharacterPicture
        do {
            picture = try await client.thumbnail(of: key.characterID, variant: key.size.variant, timeout: timeout)
        } catch {
            if error.code == .notFound { return nil }
            throw Trouble(error, servers)
        }
        guard !picture.isPlaceholder else { return nil }
        do {
            return try await pictures.image(picture.bytes, for: key.size)
        } catch {
            throw Trouble("The picture cannot be read.", canRetry: false)
        }
    }

    func loadRecentSearches() async -> [String] { await recentSearches.load() }

    func saveRecentSearches(_ queries: [String]) async { await recentSearches.save(queries) }

    private func call<Answer>(_ body: () async throws(RPCError) -> Answer) async throws(Trouble) -> Answer {
        do {
            return try await body()
        } catch {
            throw Trouble(error, servers)
        }
    }
}

/// The pages of a search, with words for what goes wrong.
private struct FoundPages: AsyncSequence {
    let pages: SearchPages
    let servers: [ServerAddress]

    func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator(), servers: servers) }

    struct Iterator: AsyncIteratorProtocol {
        var pages: SearchPages.Iterator
        let servers: [ServerAddress]

        mutating func next() async throws(Trouble) -> FoundPage? { try await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Trouble) -> FoundPage? {
            do {
                return try await pages.next(isolation: actor).map(FoundPage.init)
            } catch {
                throw Trouble(error, servers)
            }
        }
    }
}
