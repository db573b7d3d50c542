import Catalog
import MarvelDomain
import RPCCore
import Testing
import WireMessages

@testable import MarvelService

/// The same request gets another answer after a change.
@Suite struct ChangingAnswersTests {
    @Test func favoritesAreMarkedAsTheyAreNow() async throws {
        let service = EditStage().service
        let request = SearchCharactersRequest(query: "spider", pageSize: 3, maxPages: 1)
        let id = try await service.search(request)[0].characters[1].id
        for marked in [[], [id], []] {
            #expect(try await service.search(request)[0].favoriteIDs == marked)
            try await service.toggle(id)
        }
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
        try await stage.service.toggle(1_009_351)
        #expect(try await shown().isFavorite)
    }
}
