import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct MethodAccessTests {
    private let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: MemoryFavoritesStore())

    private func principal(_ scopes: String...) throws -> Principal {
        Principal(name: "reader", .name, Grants(try scopes.map { try #require(Scope($0)) }))
    }

    private func search(_ list: String, as principal: Principal) async throws -> SearchCharactersResponse {
        let request = SearchCharactersRequest(query: "spider-man", pageSize: 3, maxPages: 1, list: list)
        let call = IncomingCall(payload: request.encoded(), principal: principal)
        return try service.searchCharacters(call).answer(SearchCharactersResponse.self)
    }

    private func isFavorite(_ id: Int64, _ list: String, as principal: Principal) throws -> Bool {
        let request = GetCharacterRequest(id: id, list: list)
        let call = IncomingCall(payload: request.encoded(), principal: principal)
        return try service.getCharacter(call).answer(GetCharacterResponse.self).isFavorite
    }

    /// Also when the same request was answered a moment ago, to somebody who may see more, or less.
    @Test func marksNeedTheScopeOfTheList() async throws {
        try await service.load()
        let id = try await search("", as: .local).characters[0].id
        try await service.toggle(id)
        let (reader, owner) = try (principal("catalog:read"), principal("catalog:read", "lists:read:default"))
        for _ in 0..<4 {
            for (caller, marks) in [(reader, []), (owner, [id]), (Principal.local, [id])] {
                #expect(try await search("", as: caller).favoriteIDs == marks)
                #expect(try isFavorite(id, "", as: caller) == !marks.isEmpty)
            }
        }
    }

    /// A stored answer for a list is not given to those who may not read the list.
    @Test func aNamedListNeedsItsScope() async throws {
        try await service.load()
        let id = try await search("", as: .local).characters[0].id
        let reader = try principal("catalog:read", "lists:read:own-*")
        let denied = RPCError(.scopeMissing(principal: "reader", scope: "lists:read:other"))
        for _ in 0..<4 {
            _ = try await search("other", as: .local)
            _ = try isFavorite(id, "other", as: .local)
            await #expect(throws: denied) { try await search("other", as: reader) }
            #expect(throws: denied) { try isFavorite(id, "other", as: reader) }
            #expect(try await search("own-list", as: reader).favoriteIDs.isEmpty)
        }
        #expect(denied.code == .permissionDenied)
        #expect(denied.message == "reader lacks lists:read:other.")
    }

    @Test func aPlaceOfAListNeedsItsScope() async throws {
        try await service.load()
        let place = try await service.store.snapshot(of: .default)
        let text = FavoritesPlace(list: .default, history: place.history, revision: 0).text
        let request = SearchCharactersRequest(query: "spider", maxPages: 1, favoritesAtLeast: text)
        let call = IncomingCall(payload: request.encoded(), principal: try principal("catalog:read"))
        #expect(throws: RPCError(.scopeMissing(principal: "reader", scope: "lists:read:default"))) {
            try service.searchCharacters(call)
        }
    }
}
