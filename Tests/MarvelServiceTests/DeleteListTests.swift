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
        try await service.toggle(id, .saved)
    }

    private func place(_ revision: Int64, of list: ListName = .default) -> String {
        FavoritesPlace(list: list, history: store.history, revision: revision).text
    }

    @Test func theAnswerHasRevisionAndPlaceAndTheListIsEmpty() async throws {
        for id in ids { try await save(id) }
        #expect(try await delete() == DeleteListResponse(revision: 3, place: place(3), existed: true))
        let list = try await service.favorites()
        #expect(list.favorites == [])
        #expect(list.revision == 3)
        #expect(try await delete() == DeleteListResponse(revision: 3, place: place(3), existed: false))
    }

    @Test func aRepeatGetsTheFirstAnswer() async throws {
        try await save(ids[0])
        let first = try await delete("", "r-1")
        try await save(ids[1])
        #expect(try await delete("", "r-1") == first)
        #expect(try await store.favorites(.default).favorites.map(\.character.id) == [ids[1]])
    }
}
