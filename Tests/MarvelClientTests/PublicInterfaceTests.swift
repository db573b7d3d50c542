// Only what a package that depends on the product can see: no `@testable`, nothing but the product's module.
import MarvelClient
import Testing

struct PublicInterfaceTests {
    @Test(arguments: ["127.0.0.1:1", "tls://127.0.0.1:1"])
    func oneImportIsEnough(_ text: String) async throws {
        let server = try #require(ServerEndpoint(text))
        let client = MarvelClient(servers: [server])
        do {
            // Names that are too general for a program's scope belong to the client.
            let match: MarvelClient.Match = .fuzzy
            for try await page in client.searchCharacters("spider", match: match, maxPages: 1) {
                let favorites: [MarvelCharacter] = page.characters.filter(page.isFavorite)
                Issue.record("somebody answered: \(favorites)")
            }
        } catch {
            // The failure is typed: no cast.
            #expect(error.code == .unavailable)
            #expect(error.origin == .local)
        }
        await client.shutdown()
    }

    @Test func aLiveListReportsItsConnection() async throws {
        let address = try #require(ServerEndpoint("127.0.0.1:1"))
        let client = MarvelClient(servers: [address])
        for await state in client.liveFavorites() {
            if case .lost(let error, let nextTry) = state.connection { print(error.message, nextTry - .now) }
            #expect(state.list?.favorites.map(\.character.name) == nil)
            break
        }
        await client.shutdown()
    }
}
