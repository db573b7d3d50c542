import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

/// A page that is sent again for the same request is the page that a new search would give.
@Suite struct RecentAnswersTests {
    private let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: MemoryFavoritesStore())
    private let request = SearchCharactersRequest(query: "spider", pageSize: 3, maxPages: 1)

    private func message(_ request: SearchCharactersRequest) throws -> any OutgoingMessage {
        guard case .message(let message, nil) = try service.searchCharacters(IncomingCall(payload: request.encoded()))
        else { throw Missing() }
        return message
    }

    private struct Missing: Error {}

    private func toggle(_ id: Int64) async throws {
        let _: ToggleFavoriteResponse = try await service.call("ToggleFavorite", ToggleFavoriteRequest(characterID: id))
    }

    @Test func aPageIsKeptWhenItsRequestIsRepeated() async throws {
        try await service.load()
        let (first, second, third, fourth) = try (
            message(request), message(request), message(request), message(request)
        )
        #expect(first !== second && second !== third)
        #expect(third === fourth)
        #expect(first.encoded == second.encoded && second.encoded == third.encoded)
    }

    @Test func anotherRequestGetsItsOwnPage() async throws {
        try await service.load()
        for _ in 0..<3 {
            for query in ["spider", "iron", "black"] {
                for size in [1, 2, 5] as [Int32] {
                    let request = SearchCharactersRequest(query: query, pageSize: size, maxPages: 1)
                    let page = try SearchCharactersResponse(decoding: message(request).encoded, limit: .response)
                    #expect(page.characters.count == Int(size))
                    #expect(page.characters.allSatisfy { $0.name.lowercased().hasPrefix(query) })
                }
            }
        }
    }

    @Test func favoritesAreMarkedAsTheyAreNow() async throws {
        let id = try await service.search(request)[0].characters[1].id
        for _ in 0..<3 { #expect(try await service.search(request)[0].favoriteIDs == []) }
        try await toggle(id)
        for _ in 0..<3 { #expect(try await service.search(request)[0].favoriteIDs == [id]) }
        try await toggle(id)
        for _ in 0..<3 { #expect(try await service.search(request)[0].favoriteIDs == []) }
    }

    @Test func aFavoriteOfAnotherPageChangesNothing() async throws {
        try await service.load()
        let other = try await service.search(SearchCharactersRequest(query: "iron", maxPages: 1))[0].characters[0].id
        try await toggle(other)
        for _ in 0..<2 { _ = try message(request) }
        #expect(try message(request) === message(request))
    }

    @Test func anEditIsSeenAtOnce() async throws {
        let stage = EditStage()
        let request = SearchCharactersRequest(query: "hulk", maxPages: 1)
        var names: [String] = []
        for _ in 0..<3 { names = try await stage.service.search(request)[0].characters.map(\.name) }
        #expect(!names.contains("Hulk of Tests"))
        _ = try await stage.create(CreateCharacterRequest(character: MarvelCharacter(id: 0, name: "Hulk of Tests")))
        for _ in 0..<3 {
            #expect(try await stage.service.search(request)[0].characters.map(\.name).contains("Hulk of Tests"))
        }
    }

    /// A connection asks this before it sends an answer again.
    @Test func anAnswerIsCurrentUntilAnEditOrAFavoriteOfIt() async throws {
        let stage = EditStage()
        let service = stage.service
        try await service.load()
        let payload = SearchCharactersRequest(query: "hulk", maxPages: 1).encoded()
        func answer() throws -> any OutgoingMessage {
            for _ in 0..<2 { _ = try service.searchCharacters(IncomingCall(payload: payload)) }
            guard case .message(let message, nil) = try service.searchCharacters(IncomingCall(payload: payload)) else {
                throw Missing()
            }
            return message
        }
        let first = try answer()
        #expect(service.isCurrent(first) && service.isCurrent(first))
        _ = try await stage.create(CreateCharacterRequest(character: MarvelCharacter(id: 0, name: "Hulk of Tests")))
        #expect(!service.isCurrent(first))

        let second = try answer()
        #expect(service.isCurrent(second))
        let toggle = ToggleFavoriteRequest(characterID: 1_009_351)
        let _: ToggleFavoriteResponse = try await service.call("ToggleFavorite", toggle)
        #expect(!service.isCurrent(second))
        #expect(!service.isCurrent(EncodedMessage(payload)))
    }

    @Test func aCharacterIsShownAsItIsNow() async throws {
        let stage = EditStage()
        let request = GetCharacterRequest(id: 1_009_351)
        func shown() async throws -> GetCharacterResponse { try await stage.service.call("GetCharacter", request) }
        for _ in 0..<3 { #expect(try await shown().character?.name == "Hulk") }
        let edit = MarvelCharacter(id: 1_009_351, name: "Green")
        let edited = try await stage.update(UpdateCharacterRequest(character: edit, updateMask: ["name"]))
        for _ in 0..<3 {
            #expect(try await shown().character?.name == "Green")
            #expect(try await shown().editRevision == edited.editRevision)
            #expect(try await !shown().isFavorite)
        }
        let _: ToggleFavoriteResponse = try await stage.service.call(
            "ToggleFavorite",
            ToggleFavoriteRequest(characterID: 1_009_351)
        )
        for _ in 0..<3 { #expect(try await shown().isFavorite) }
    }

    @Test func aListIsShownAsItIsNow() async throws {
        try await service.load()
        func shown() async throws -> [Int64] {
            let list: ListFavoritesResponse = try await service.call("ListFavorites", ListFavoritesRequest())
            return list.favorites.map(\.character.id)
        }
        let ids = try await service.search(request)[0].characters.map(\.id)
        for _ in 0..<3 { #expect(try await shown() == []) }
        for (number, id) in ids.enumerated() {
            try await toggle(id)
            for _ in 0..<3 { #expect(try await shown() == Array(ids[...number])) }
        }
        let other = ToggleFavoriteRequest(list: "other", characterID: ids[0])
        let _: ToggleFavoriteResponse = try await service.call("ToggleFavorite", other)
        for _ in 0..<3 { #expect(try await shown() == ids) }
    }

    @Test func aListIsKeptWhenItsRequestIsRepeated() async throws {
        try await service.load()
        let request = ListFavoritesRequest(list: "kept")
        let _: ListFavoritesResponse = try await service.call("ListFavorites", request)
        for _ in 0..<3 {
            guard case .message = try service.listFavorites(IncomingCall(payload: request.encoded())) else {
                throw Missing()
            }
        }
        guard case .answer = service.catalog.recentAnswers?.find(.favorites, request.encoded()) else { throw Missing() }
    }

    /// A connection asks whether its last answer is current, so it does not send one that lacks its age.
    @Test func aListThatMayBeOldIsNoRecentAnswer() async throws {
        let store = MemoryFavoritesStore()
        let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: store)
        let request = ListFavoritesRequest(list: "kept")
        let _: ListFavoritesResponse = try await service.call("ListFavorites", request)
        func answer() throws -> any OutgoingMessage {
            guard case .message(let message, nil) = try service.listFavorites(IncomingCall(payload: request.encoded()))
            else { throw Missing() }
            return message
        }
        for _ in 0..<2 { _ = try answer() }
        let kept = try answer()
        #expect(service.isCurrent(kept))
        store.setFeedAge(.seconds(2))
        #expect(!service.isCurrent(kept))
        for _ in 0..<3 {
            let aged = try answer()
            #expect(!service.isCurrent(aged))
            #expect(try ListFavoritesResponse(decoding: aged.encoded, limit: .response).age == .seconds(2))
        }
        store.setFeedAge(.zero)
        #expect(service.isCurrent(kept))
        #expect(try answer() === kept)
    }

    @Test func aStreamHasAllItsPagesEachTime() async throws {
        let request = SearchCharactersRequest(query: "spider", pageSize: 3)
        let pages = try await service.search(request)
        #expect(pages.count > 1)
        for _ in 0..<3 { #expect(try await service.search(request) == pages) }
    }

    @Test func aTokenThatIsRefusedIsRefusedEachTime() async throws {
        let token = try await service.search(request)[0].nextPageToken
        let other = SearchCharactersRequest(query: "iron", pageToken: token, maxPages: 1)
        for _ in 0..<3 {
            #expect(await service.error("SearchCharacters", other.encoded())?.reason == .pageTokenInvalid)
        }
    }

    @Test func aLongPageIsNotKept() async throws {
        try await service.load()
        let request = SearchCharactersRequest(query: "ma", pageSize: 100, maxPages: 1)
        for _ in 0..<3 { #expect(try message(request).byteCount > RecentAnswers.maximumByteCount) }
        #expect(try message(request) !== message(request))
    }
}
