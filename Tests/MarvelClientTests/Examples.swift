// The Swift of README and of the articles about the client, which a test of the manuals looks for here. The functions are
// compiled, and not called.
import MarvelClient

private func readme() async throws {
    let client = MarvelClient()
    for try await page in client.searchCharacters("spider", maxPages: 3) {
        for character in page.characters { print(character.id, character.name) }
    }
    _ = try await client.toggleFavorite(1_009_610, desired: .saved)
    await client.shutdown()
}

private func overview() async throws {
    let client = MarvelClient()
    for try await page in client.searchCharacters("spider", maxPages: 3) {
        for character in page.characters {
            print(page.isFavorite(character) ? "★" : " ", character.name)
        }
        print(page.attribution)
    }
    await client.shutdown()
}

private func gettingStarted() async throws {
    let client = MarvelClient(servers: [ServerEndpoint("one.example:6160")!, ServerEndpoint("two.example:6160")!])
    for try await page in client.searchCharacters("spidrman", match: .fuzzy) {
        for character in page.characters { print(character.id, character.name) }
        if page.characters.count >= 3 { break }
    }
    let result = try await client.toggleFavorite(1_009_610, desired: .saved, list: ListName("reading")!)
    print(result.revision, result.evicted.map(\.character.name))
    let listed = try await client.favorites(list: ListName("reading")!)
    print(listed.list.favorites.map(\.character.name), listed.age ?? .zero)
    let picture = try await client.thumbnail(of: 1_009_610, variant: .standardLarge)
    let names = try await client.suggestNames("spi", limit: 5).names
    print(picture, names)
}

private func errorsAndRetries(_ client: MarvelClient) async throws {
    do throws(RPCError) {
        _ = try await client.character(id: 1)
    } catch {
        switch error.code {
        case .notFound: print("there is no such character")
        case .unavailable: print("no server:", error.message, error.retryDelay as Any)
        default: print(error.code.name, error.reason?.rawValue ?? "", error.message)
        }
    }
    let id = RequestID.random()
    let result = try await client.toggleFavorite(1_009_610, requestID: id)
    print(result)
}

private func watchingLists(_ client: MarvelClient) async throws {
    let live = client.liveFavorites()
    for await state in live {
        if case .lost(let error, let nextTry) = state.connection { print(error.message, nextTry - .now) }
        print(state.list?.favorites.map(\.character.name) ?? [])
    }
    for try await event in client.watchFavorites() {
        switch event {
        case .snapshot(let listed, let reset): print("the list:", listed.list.revision, reset as Any)
        case .changed(let change, let place): print(change.revision, change.saved?.character.name ?? "", place as Any)
        case .progress: break
        case .interrupted(let error, let delay): print("interrupted:", error.message, delay)
        }
    }
}
