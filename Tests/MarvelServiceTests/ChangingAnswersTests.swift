import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

/// The same request gets another answer after a change.
@Suite struct ChangingAnswersTests {
    private let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: MemoryFavoritesStore())
    private let request = SearchCharactersRequest(query: "spider", pageSize: 3, maxPages: 1)

    private func toggle(_ id: Int64) async throws {
        let _: ToggleFavoriteResponse = try await service.call("ToggleFavorite", ToggleFavoriteRequest(characterID: id))
    }

    @Test func favoritesAreMarkedAsTheyAreNow() async throws {
        let id = try await service.search(request)[0].characters[1].id
        #expect(try await service.search(request)[0].favoriteIDs == [])
        try await toggle(id)
        #expect(try await service.search(request)[0].favoriteIDs == [id])
        try await toggle(id)
        #expect(try await service.search(request)[0].favoriteIDs == [])
    }

    @Test func aCharacterIsShownAsItIsNow() async throws {
        let stage = EditStage()
        let request = GetCharacterRequest(id: 1_009_351)
        func shown() async throws -> GetCharacterResponse { try await stage.service.call("GetCharacter", request) }
        #expect(try await shown().character?.name == "Hulk")
        let edit = MarvelCharacter(id: 1_009_351, name: "Green")
        let edited = try await stage.update(UpdateCharacterRequest(character: edit, updateMask: ["name"]))
        let after = try await shown()
        #expect(after.character?.name == "Green")
        #expect(after.editRevision == edited.editRevision)
        #expect(!after.isFavorite)
        let _: ToggleFavoriteResponse = try await stage.service.call(
            "ToggleFavorite",
            ToggleFavoriteRequest(characterID: 1_009_351)
        )
        #expect(try await shown().isFavorite)
    }
}
