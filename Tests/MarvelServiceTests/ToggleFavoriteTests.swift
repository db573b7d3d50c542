import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct ToggleFavoriteTests {
    private static let hulk: Int64 = 1_009_351
    private let store = MemoryFavoritesStore()

    private func toggle(
        _ catalog: any CharacterCatalog,
        _ request: ToggleFavoriteRequest
    ) async throws -> ToggleFavoriteResponse {
        try await CharacterService(catalog: catalog, store: store).call("ToggleFavorite", request)
    }

    private func error(_ catalog: any CharacterCatalog, _ request: ToggleFavoriteRequest) async -> RPCError? {
        await CharacterService(catalog: catalog, store: store).error("ToggleFavorite", request.encoded())
    }

    private func favorites() async throws -> ListFavoritesResponse {
        try await CharacterService(catalog: TestCatalog.builtIn, store: store).favorites()
    }

    private func place(_ revision: Int64) -> String {
        FavoritesPlace(list: .default, history: store.history, revision: revision).text
    }

    @Test(arguments: [true, false])
    func togglingSavesAndThenRemoves(_ isInMemory: Bool) async throws {
        let catalog: any CharacterCatalog = isInMemory ? TestCatalog.builtIn : TestCatalog()
        let saved = try await toggle(catalog, ToggleFavoriteRequest(characterID: Self.hulk))
        #expect(saved == ToggleFavoriteResponse(isFavorite: true, revision: 1, place: place(1)))
        #expect(try await favorites().favorites.map(\.character.name) == ["Hulk"])
        let removed = try await toggle(catalog, ToggleFavoriteRequest(characterID: Self.hulk))
        #expect(removed == ToggleFavoriteResponse(isFavorite: false, revision: 2, place: place(2)))
        #expect(try await favorites().favorites.isEmpty)
    }

    @Test(arguments: [1, 999_999_999, Int64.max])
    func anUnknownIDIsNotFoundAndChangesNothing(_ id: Int64) async throws {
        for catalog in [TestCatalog.builtIn as any CharacterCatalog, TestCatalog()] {
            for desired in [DesiredValue.toggle, .saved] {
                let error = await error(catalog, ToggleFavoriteRequest(characterID: id, desired: desired))
                #expect(error?.code == .notFound)
                #expect(error?.reason == .characterNotFound)
            }
        }
        #expect(try await favorites().revision == 0)
    }

    /// The catalog may be down, or may no longer know the character: it leaves the list all the same.
    @Test func aRemovalAsksNoCatalog() async throws {
        let catalog = TestCatalog(failure: .upstream(.timedOut))
        _ = try await toggle(TestCatalog.builtIn, ToggleFavoriteRequest(characterID: Self.hulk))
        let removed = try await toggle(catalog, ToggleFavoriteRequest(characterID: Self.hulk))
        #expect(!removed.isFavorite)
        _ = try await toggle(TestCatalog.builtIn, ToggleFavoriteRequest(characterID: Self.hulk))
        let again = try await toggle(catalog, ToggleFavoriteRequest(characterID: Self.hulk, desired: .removed))
        #expect(!again.isFavorite)
        #expect(catalog.fetchCount == 0)
    }

    @Test func aCatalogInMemoryGivesTheSnapshotAlong() async throws {
        _ = try await toggle(TestCatalog.builtIn, ToggleFavoriteRequest(characterID: Self.hulk))
        #expect(store.requests.map(\.hasCharacter) == [true])
    }

    @Test func aGatewayIsAskedOnlyIfTheStoreNeedsTheSnapshot() async throws {
        let catalog = TestCatalog()
        let request = ToggleFavoriteRequest(characterID: Self.hulk, requestID: "once", desired: .saved)
        let first = try await toggle(catalog, request)
        #expect(store.requests.map(\.hasCharacter) == [false, true])
        #expect(catalog.fetchCount == 1)
        #expect(try await toggle(catalog, request) == first)
        #expect(catalog.fetchCount == 1)
    }

    // MARK: Owners

    @Test func aListBelongsToThePrincipalThatMadeIt() async throws {
        let store = MemoryFavoritesStore(maximumListsPerOwner: 1)
        let service = CharacterService(catalog: TestCatalog.builtIn, store: store)
        let grants = Grants(Scope.all)
        let anna = Principal(name: "anna", .token(id: "1", digest: []), grants)
        let again = Principal(name: "anna", .name, grants)
        #expect(try await service.saving(Self.hulk, on: "a", as: anna) == nil)
        let error = try #require(try await service.saving(Self.hulk, on: "b", as: again))
        #expect((error.code, error.reason) == (.resourceExhausted, .listLimit))
        #expect(error.message == "this caller already owns 1 lists, its limit: delete one, or use an existing list")
        for list in ["b", "c"] { #expect(try await service.saving(Self.hulk, on: list, as: .local) == nil) }
        let stranger = Principal(name: "", .none, grants)
        #expect(try await service.saving(Self.hulk, on: "d", as: stranger)?.reason == .listLimit)
    }
}

extension CharacterService {
    /// Saves a character as a caller.
    ///
    /// - Returns: The error; nil if it was saved.
    fileprivate func saving(_ id: Int64, on list: String, as principal: Principal) async throws -> RPCError? {
        let request = ToggleFavoriteRequest(list: list, characterID: id, desired: .saved)
        do {
            _ = try await call("ToggleFavorite", request.encoded(), as: principal)
            return nil
        } catch let error as RPCError {
            return error
        }
    }
}
