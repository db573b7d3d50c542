import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct DeleteListTests {
    private let store = MemoryFavoritesStore()
    private var service: CharacterService { CharacterService(catalog: TestCatalog.builtIn, store: store) }
    private let ids = BuiltInCatalog.characters().prefix(2).map(\.id)

    private func delete(_ list: String = "", _ requestID: String = "") async throws -> DeleteListResponse {
        try await service.call("DeleteList", DeleteListRequest(list: list, requestID: requestID))
    }

    private func save(_ id: Int64) async throws {
        let request = ToggleFavoriteRequest(characterID: id, requestID: "save-\(id)", desired: .saved)
        let _: ToggleFavoriteResponse = try await service.call("ToggleFavorite", request)
    }

    private func place(_ revision: Int64, of list: ListName = .default) -> String {
        FavoritesPlace(list: list, history: store.history, revision: revision).text
    }

    @Test func theAnswerHasRevisionAndPlaceAndTheListIsEmpty() async throws {
        for id in ids { try await save(id) }
        #expect(try await delete() == DeleteListResponse(revision: 3, place: place(3), existed: true))
        let list: ListFavoritesResponse = try await service.call("ListFavorites", ListFavoritesRequest())
        #expect(list.favorites == [])
        #expect(list.revision == 3)
        #expect(try await delete() == DeleteListResponse(revision: 3, place: place(3), existed: false))
    }

    @Test func aListThatIsNotThereIsNoError() async throws {
        let name = try #require(ListName("new"))
        #expect(try await delete("new") == DeleteListResponse(revision: 0, place: place(0, of: name), existed: false))
    }

    @Test func aRepeatGetsTheFirstAnswer() async throws {
        try await save(ids[0])
        let first = try await delete("", "r-1")
        try await save(ids[1])
        #expect(try await delete("", "r-1") == first)
        #expect(try await store.favorites(.default).favorites.map(\.character.id) == [ids[1]])
    }

    @Test(arguments: [("", "save-1009610"), ("other", "r-1")])
    func anIDOfAnotherRequestIsRefused(_ list: String, _ requestID: String) async throws {
        try await save(1_009_610)
        _ = try await delete("", "r-1")
        let error = await service.error("DeleteList", DeleteListRequest(list: list, requestID: requestID).encoded())
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == .requestIDReused)
        let toggle = ToggleFavoriteRequest(characterID: 1_009_610, requestID: "r-1").encoded()
        #expect(await service.error("ToggleFavorite", toggle)?.reason == .requestIDReused)
    }
}
