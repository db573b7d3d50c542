import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct GetCatalogInfoTests {
    private let store = MemoryFavoritesStore()

    private func info(_ catalog: any CharacterCatalog) async throws -> GetCatalogInfoResponse {
        try await CharacterService(catalog: catalog, store: store, serverVersion: "1.2.3")
            .call("GetCatalogInfo", GetCatalogInfoRequest())
    }

    @Test func aCatalogInMemoryIsDescribedCompletely() async throws {
        let loadedAt = Timestamp(seconds: 1_767_225_600, nanoseconds: 5)
        let catalog = EditableCatalog(TestCatalog.builtIn, loadedAt: loadedAt)
        let expected = GetCatalogInfoResponse(
            kind: .builtIn,
            characterCount: Int32(TestCatalog.builtIn.count),
            matches: [.prefix, .wordPrefix, .substring, .fuzzy],
            attribution: TestCatalog.builtIn.attribution,
            loadedAt: loadedAt,
            serverVersion: "1.2.3",
            history: "\(store.history)"
        )
        #expect(try await info(catalog) == expected)
    }

    @Test func everyKindHasAName() async throws {
        #expect(try await info(SyntheticCharacters(count: 3).catalog()).kind == .synthetic)
        let file = InMemoryCatalog([], kind: .file, attribution: "", source: .file)
        #expect(try await info(file).kind == .file)
        #expect(try await info(file).characterCount == 0)
    }

    private func canEdit(_ service: CharacterService, _ scopes: Scope...) throws -> Bool {
        let caller = Principal(name: "caller", .name, Grants(scopes))
        let call = IncomingCall(payload: GetCatalogInfoRequest().encoded(), principal: caller)
        return try service.getCatalogInfo(call).answer(GetCatalogInfoResponse.self).canEdit
    }

    @Test func editingIsOfferedToPermittedCallers() throws {
        let service = EditStage().service
        #expect(try canEdit(service, .catalogRead, .catalogEdit))
        #expect(try !canEdit(service, .catalogRead))
        #expect(try !canEdit(EditStage(allowsEdits: false).service, .catalogEdit))
        let uneditable = CharacterService(catalog: TestCatalog.builtIn, store: store, allowsEdits: true)
        #expect(try !canEdit(uneditable, .catalogEdit))
    }

    /// The gateway is not asked, and may be away.
    @Test func aGatewayIsDescribedWithoutACall() async throws {
        let catalog = TestCatalog(failure: .upstream(.timedOut))
        let info = try await info(catalog)
        #expect(info.kind == .gateway)
        #expect(info.characterCount == 0)
        #expect(info.loadedAt == nil)
        #expect(info.matches == [.prefix])
        #expect(catalog.fetchCount == 0)
    }
}
