import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct ListFavoritesTests {
    private let store = MemoryFavoritesStore()
    private var service: CharacterService { CharacterService(catalog: TestCatalog.builtIn, store: store) }

    @Test func aListThatNobodyChangedIsEmptyAtRevisionZero() async throws {
        let list: ListFavoritesResponse = try await service.call("ListFavorites", ListFavoritesRequest(list: "new"))
        let name = try #require(ListName("new"))
        #expect(
            list
                == ListFavoritesResponse(
                    favorites: [],
                    revision: 0,
                    capacity: 5,
                    attribution: BuiltInCatalog.attribution,
                    place: FavoritesPlace(list: name, history: store.history, revision: 0).text
                )
        )
    }

    @Test func favoritesAreWholeAndOldestFirst() async throws {
        let characters = Array(BuiltInCatalog.characters().prefix(3))
        for character in characters.reversed() {
            let request = ToggleFavoriteRequest(characterID: character.id)
            let _: ToggleFavoriteResponse = try await service.call("ToggleFavorite", request)
        }
        let list: ListFavoritesResponse = try await service.call("ListFavorites", ListFavoritesRequest(list: "default"))
        #expect(list.favorites.map(\.character) == characters.reversed())
        #expect(list.revision == 3)
    }

    @Test func theListIsWholeWhenTheCatalogIsNotThere() async throws {
        let character = try #require(BuiltInCatalog.characters().first)
        let toggle = ToggleFavoriteRequest(characterID: character.id)
        let _: ToggleFavoriteResponse = try await service.call("ToggleFavorite", toggle)
        let failing = CharacterService(catalog: TestCatalog(failure: .upstream(.timedOut)), store: store)
        let list: ListFavoritesResponse = try await failing.call("ListFavorites", ListFavoritesRequest())
        #expect(list.favorites.map(\.character) == [character])
    }

    @Test func anInvalidNameIsRefused() async {
        let error = await service.error("ListFavorites", ListFavoritesRequest(list: "a b").encoded())
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == "LIST_NAME_INVALID")
        #expect(error?.violatedField == "list")
    }

    @Test func aStoreThatCannotBeReadIsUnavailable() async {
        store.fail(with: .notReadable("the file is damaged"))
        let error = await service.error("ListFavorites", ListFavoritesRequest().encoded())
        #expect(error?.code == .unavailable)
        #expect(error?.reason == "STORE_UNREADABLE")
    }
}
