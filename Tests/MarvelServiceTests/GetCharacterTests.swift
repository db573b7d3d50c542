import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct GetCharacterTests {
    private static let spiderMan: Int64 = 1_009_610
    private let store = MemoryFavoritesStore()

    private func services() -> [CharacterService] {
        [TestCatalog.builtIn as any CharacterCatalog, TestCatalog()].map { CharacterService(catalog: $0, store: store) }
    }

    @Test func aCharacterIsGivenWithItsSource() async throws {
        for service in services() {
            let response: GetCharacterResponse =
                try await service.call("GetCharacter", GetCharacterRequest(id: Self.spiderMan))
            #expect(response.character?.name == "Spider-Man")
            #expect(response.character?.thumbnail?.path == "emblem/1009610")
            #expect(!response.isFavorite)
            #expect(response.attribution == BuiltInCatalog.attribution)
            #expect(response.freshness.source == .builtIn)
        }
    }

    @Test func theAnswerMarksAFavorite() async throws {
        for service in services() {
            try await service.toggle(Self.spiderMan, on: "mine", .saved)
            for (list, expected) in [("mine", true), ("", false)] {
                let request = GetCharacterRequest(id: Self.spiderMan, list: list)
                let response: GetCharacterResponse = try await service.call("GetCharacter", request)
                #expect(response.isFavorite == expected)
            }
        }
    }

    @Test(arguments: [1, 5, Int64.max])
    func anUnknownIDIsNotFound(_ id: Int64) async {
        for service in services() {
            let error = await service.error("GetCharacter", GetCharacterRequest(id: id).encoded())
            #expect(error?.code == .notFound)
            #expect(error?.reason == .characterNotFound)
            #expect(error?.info?.metadata == ["id": "\(id)"])
        }
    }
}
