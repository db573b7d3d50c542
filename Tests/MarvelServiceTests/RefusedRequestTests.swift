import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

/// Requests that break a rule, and calls whose store fails, in each method.
@Suite struct RefusedRequestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var method: String
        var request: ByteBuffer
        var reason: ErrorReason
        var field: String

        init(_ request: some WireMessage, _ reason: ErrorReason, _ field: String) {
            let name = type(of: request).fullName
            method = String(name.dropFirst("marvel.v1.".count).dropLast("Request".count))
            (self.request, self.reason, self.field) = (request.encoded(), reason, field)
        }

        var testDescription: String { "\(method) \(field) \(request.readableBytes)" }
    }

    private static let long = String(repeating: "x", count: 101)

    static let cases = [
        Case(SearchCharactersRequest(query: ""), .queryTooShort, "query"),
        Case(SearchCharactersRequest(query: "s"), .queryTooShort, "query"),
        Case(SearchCharactersRequest(query: "  s \n"), .queryTooShort, "query"),
        Case(SearchCharactersRequest(query: "👩‍👩‍👧‍👦"), .queryTooShort, "query"),
        Case(SearchCharactersRequest(query: long), .queryTooLong, "query"),
        Case(SearchCharactersRequest(query: "spider", pageSize: -1), .pageSizeInvalid, "page_size"),
        Case(SearchCharactersRequest(query: "spider", pageSize: .min), .pageSizeInvalid, "page_size"),
        Case(SearchCharactersRequest(query: "spider", skip: -1), .skipInvalid, "skip"),
        Case(SearchCharactersRequest(query: "spider", maxPages: -1), .maxPagesInvalid, "max_pages"),
        Case(SearchCharactersRequest(query: "spider", readMask: ["id", "nam"]), .readMaskInvalid, "read_mask"),
        Case(SearchCharactersRequest(query: "spider", readMask: ["thumbnail.path"]), .readMaskInvalid, "read_mask"),
        Case(SearchCharactersRequest(query: "spider", readMask: ["*", ""]), .readMaskInvalid, "read_mask"),
        Case(SearchCharactersRequest(query: "spider", pageToken: "garbage"), .pageTokenInvalid, "page_token"),
        Case(SearchCharactersRequest(query: "spider", pageToken: "30"), .pageTokenInvalid, "page_token"),
        Case(SearchCharactersRequest(query: "spider", list: "no list"), .listNameInvalid, "list"),
        Case(SearchCharactersRequest(query: "spider", list: "é"), .listNameInvalid, "list"),
        Case(SearchCharactersRequest(query: "spider", list: long), .listNameInvalid, "list"),
        Case(GetCharacterRequest(id: 0), .characterIDInvalid, "id"),
        Case(GetCharacterRequest(id: -1), .characterIDInvalid, "id"),
        Case(GetCharacterRequest(id: .min), .characterIDInvalid, "id"),
        Case(GetCharacterRequest(id: 1_009_610, list: "a b"), .listNameInvalid, "list"),
        Case(GetThumbnailRequest(id: 0), .characterIDInvalid, "id"),
        Case(GetThumbnailRequest(id: -1), .characterIDInvalid, "id"),
        Case(GetThumbnailRequest(id: 1, variant: "huge"), .variantUnknown, "variant"),
        Case(GetThumbnailRequest(id: 1, variant: "Detail"), .variantUnknown, "variant"),
        Case(SuggestNamesRequest(query: ""), .queryTooShort, "query"),
        Case(SuggestNamesRequest(query: " \n "), .queryTooShort, "query"),
        Case(SuggestNamesRequest(query: "\u{301}"), .queryTooShort, "query"),
        Case(SuggestNamesRequest(query: long), .queryTooLong, "query"),
        Case(SuggestNamesRequest(query: "s", limit: -1), .limitInvalid, "limit"),
        Case(SuggestNamesRequest(query: "s", limit: .min), .limitInvalid, "limit"),
        Case(ToggleFavoriteRequest(characterID: 0), .characterIDInvalid, "character_id"),
        Case(ToggleFavoriteRequest(characterID: -5, desired: .removed), .characterIDInvalid, "character_id"),
        Case(ToggleFavoriteRequest(list: "a/b", characterID: 1), .listNameInvalid, "list"),
        Case(ToggleFavoriteRequest(characterID: 1, requestID: "é"), .requestIDInvalid, "request_id"),
        Case(ToggleFavoriteRequest(characterID: 1, requestID: long), .requestIDInvalid, "request_id"),
        Case(ToggleFavoriteRequest(characterID: 1, desired: DesiredValue(rawValue: 3)), .desiredUnknown, "desired"),
        Case(ToggleFavoriteRequest(characterID: 1, desired: DesiredValue(rawValue: -1)), .desiredUnknown, "desired"),
        Case(ListFavoritesRequest(list: "a b"), .listNameInvalid, "list"),
        Case(DeleteListRequest(list: "a b"), .listNameInvalid, "list"),
        Case(DeleteListRequest(list: String(repeating: "a", count: 65)), .listNameInvalid, "list"),
        Case(DeleteListRequest(requestID: String(repeating: "a", count: 37)), .requestIDInvalid, "request_id"),
        Case(DeleteListRequest(requestID: "é"), .requestIDInvalid, "request_id"),
        Case(ListListsRequest(prefix: "a b"), .prefixInvalid, "prefix"),
        Case(ListListsRequest(prefix: String(repeating: "a", count: 65)), .prefixInvalid, "prefix"),
        Case(ListListsRequest(pageSize: -1), .pageSizeInvalid, "page_size"),
        Case(WatchFavoritesRequest(list: "a b"), .listNameInvalid, "list"),
        Case(WatchFavoritesRequest(fromRevision: -1), .revisionInvalid, "from_revision"),
        Case(WatchFavoritesRequest(fromRevision: .min), .revisionInvalid, "from_revision"),
        Case(WatchFavoritesRequest(fromRevision: 3, place: "p"), .placeInvalid, "place"),
    ]

    /// Neither the catalog nor the store hears of it.
    @Test(arguments: cases) func aFieldThatBreaksItsRuleIsNamed(_ wanted: Case) async {
        let (catalog, store) = (TestCatalog(), MemoryFavoritesStore())
        let error = await CharacterService(catalog: catalog, store: store).error(wanted.method, wanted.request)
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == wanted.reason)
        #expect(error?.violatedField == wanted.field)
        #expect(error?.info?.metadata["field"] == wanted.field)
        #expect(catalog.fetchCount == 0)
        #expect(store.requests.isEmpty)
    }

    @Test(arguments: [
        ("SearchCharacters", "s", 2), ("SuggestNames", "", 1), ("SearchCharacters", " 에 ", 2),
    ])
    func aShortQueryGetsTheMinimum(_ method: String, _ query: String, _ minimum: Int) async {
        let service = CharacterService(catalog: TestCatalog(), store: MemoryFavoritesStore())
        let error = await service.error(method, SuggestNamesRequest(query: query).encoded())
        let count = minimum - 1
        #expect(error?.message == "query needs at least \(minimum) letter\(minimum == 1 ? "" : "s"), it has \(count)")
        #expect(error?.info?.metadata == ["letters": "\(count)", "minimum": "\(minimum)", "field": "query"])
    }

    private static let hulk = ToggleFavoriteRequest(characterID: 1_009_351).encoded()

    @Test(arguments: [
        ("ToggleFavorite", hulk, StoreError.notWritable("full"), StatusCode.unavailable, ErrorReason.storeReadOnly),
        ("ToggleFavorite", hulk, .outcomeUnknown("a sync failed"), .unavailable, .storeOutcomeUnknown),
        ("ToggleFavorite", hulk, .requestIDReused, .invalidArgument, .requestIDReused),
        ("ToggleFavorite", hulk, .listLimitReached(maximum: 7), .resourceExhausted, .listLimit),
        ("ToggleFavorite", hulk, .ownedListLimitReached(maximum: 7), .resourceExhausted, .listLimit),
        ("ToggleFavorite", hulk, .notReadable("damaged"), .unavailable, .storeUnreadable),
        ("DeleteList", ByteBuffer(), .notWritable("full"), .unavailable, .storeReadOnly),
        ("DeleteList", ByteBuffer(), .outcomeUnknown("a sync failed"), .unavailable, .storeOutcomeUnknown),
        ("DeleteList", ByteBuffer(), .requestIDReused, .invalidArgument, .requestIDReused),
        ("DeleteList", ByteBuffer(), .overloaded, .resourceExhausted, .storeOverloaded),
        ("ListLists", ByteBuffer(), .notReadable("damaged"), .unavailable, .storeUnreadable),
        ("ListFavorites", ByteBuffer(), .notReadable("damaged"), .unavailable, .storeUnreadable),
    ])
    func aStoreErrorHasItsCodeAndReason(
        _ method: String,
        _ request: ByteBuffer,
        _ failure: StoreError,
        _ code: StatusCode,
        _ reason: ErrorReason
    ) async {
        let store = MemoryFavoritesStore()
        store.fail(with: failure)
        let error = await CharacterService(catalog: TestCatalog.builtIn, store: store).error(method, request)
        #expect((error?.code, error?.reason) == (code, reason))
    }
}
