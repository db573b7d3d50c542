import Catalog
import CatalogEdits
import FavoritesSQLite
import HTTPTransport
import Logging
import MarvelDomain
import NIOCore
import RPCCore
import RPCTransport
import Testing
import WireClients
import WireMessages

@testable import MarvelService

/// Each method of the service over the framed wire and over gRPC: the answers are the same bytes, and the errors the same.
///
/// Both wires call one server. A change is repeated with its request id, so that it is answered alike.
@Suite(.timeLimit(.minutes(1)))
struct ServiceMethodTests {
    /// A method, with a request that succeeds and one that fails.
    struct Case: Sendable, CustomTestStringConvertible {
        var method: String
        var good: ByteBuffer
        var failing: ByteBuffer
        var code: StatusCode

        init(_ method: String, _ good: some WireMessage, _ failing: some WireMessage, _ code: StatusCode) {
            self.init(method, good, failing.encoded(), code)
        }

        init(_ method: String, _ good: some WireMessage, _ failing: ByteBuffer, _ code: StatusCode) {
            (self.method, self.good, self.failing, self.code) = (method, good.encoded(), failing, code)
        }

        var testDescription: String { method }
    }

    private static let hulk: Int64 = 1_009_351
    private static let malformed = ByteBuffer(bytes: [0xFF])

    static let cases = [
        Case(
            "SearchCharacters",
            SearchCharactersRequest(query: "spider", pageSize: 4, maxPages: 3),
            SearchCharactersRequest(query: "x"),
            .invalidArgument
        ),
        Case("GetCharacter", GetCharacterRequest(id: hulk), GetCharacterRequest(id: 7), .notFound),
        Case("GetCatalogInfo", GetCatalogInfoRequest(), malformed, .invalidArgument),
        Case("SuggestNames", SuggestNamesRequest(query: "hu"), SuggestNamesRequest(), .invalidArgument),
        Case(
            "GetThumbnail",
            GetThumbnailRequest(id: hulk, variant: "standard_large"),
            GetThumbnailRequest(id: hulk, variant: "huge"),
            .invalidArgument
        ),
        Case(
            "ToggleFavorite",
            ToggleFavoriteRequest(list: "table", characterID: hulk, requestID: "toggle"),
            ToggleFavoriteRequest(list: "no list", characterID: hulk),
            .invalidArgument
        ),
        Case(
            "ListFavorites",
            ListFavoritesRequest(list: "table"),
            ListFavoritesRequest(list: "table", atLeast: "x"),
            .invalidArgument
        ),
        Case(
            "DeleteList",
            DeleteListRequest(list: "table", requestID: "delete"),
            DeleteListRequest(list: "no list"),
            .invalidArgument
        ),
        Case("ListLists", ListListsRequest(), ListListsRequest(pageToken: "x"), .invalidArgument),
        Case(
            "WatchFavorites",
            WatchFavoritesRequest(list: "table"),
            WatchFavoritesRequest(list: "table", fromRevision: 99),
            .invalidArgument
        ),
        Case(
            "CreateCharacter",
            CreateCharacterRequest(character: MarvelCharacter(id: 0, name: "Table-Man"), requestID: "create"),
            CreateCharacterRequest(),
            .invalidArgument
        ),
        Case(
            "UpdateCharacter",
            UpdateCharacterRequest(
                character: MarvelCharacter(id: hulk, name: "Joe Fixit"),
                updateMask: FieldMask(["name"]),
                requestID: "update"
            ),
            UpdateCharacterRequest(
                character: MarvelCharacter(id: 7, name: "Nobody"),
                updateMask: FieldMask(["name"])
            ),
            .notFound
        ),
    ]

    @Test func theTableHasAllMethods() throws {
        let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: try SQLiteFavoritesStore.inMemory())
        let names = service.services[0].methods.map { method in method.name }
        #expect(names == Self.cases.map(\.method))
    }

    @Test(arguments: cases) func theAnswerIsTheSameOverBothWires(_ wanted: Case) async throws {
        try await serve { framed, grpc in
            let first = try await messages(of: wanted.method, wanted.good, with: framed)
            let second = try await messages(of: wanted.method, wanted.good, with: grpc)
            #expect(first == second)
            #expect(first.first.map { $0.readableBytes > 0 } == true)
        }
    }

    @Test(arguments: cases) func theErrorIsTheSameOverBothWires(_ wanted: Case) async throws {
        try await serve { framed, grpc in
            var errors: [RPCError] = []
            for client in [framed, grpc] {
                let error = await #expect(throws: RPCError.self) {
                    _ = try await messages(of: wanted.method, wanted.failing, with: client)
                }
                errors.append(try #require(error))
            }
            #expect(errors.map(\.code) == [wanted.code, wanted.code])
            #expect(errors[0].reason != nil)
            #expect(errors[0].reason == errors[1].reason)
            #expect(errors[0].message == errors[1].message)
            #expect(errors[0].details == errors[1].details)
        }
    }

    // MARK: Clients and the server

    /// Makes a call.
    ///
    /// - Returns: Its messages; the first one of a watch.
    private func messages(
        of method: String,
        _ request: ByteBuffer,
        with client: WireClient
    ) async throws(RPCError) -> [ByteBuffer] {
        let path = MethodPath(service: CharacterService.name, method: method)
        guard ["SearchCharacters", "WatchFavorites"].contains(method) else {
            return [try await client.unary(path, request, timeout: .seconds(10))]
        }
        var messages: [ByteBuffer] = []
        let stream = client.serverStream(path, request, timeout: .seconds(10)).makeAsyncIterator()
        while let message = try await stream.next() {
            messages.append(message)
            if method == "WatchFavorites" { break }
        }
        return messages
    }

    private func serve(_ body: (_ framed: WireClient, _ grpc: WireClient) async throws -> Void) async throws {
        let store = try SQLiteFavoritesStore.inMemory()
        // So that there is a list to name.
        let toggle = Toggle(list: .default, characterID: Self.hulk, desired: .saved)
        _ = try await store.toggle(toggle, character: MarvelCharacter(id: Self.hulk, name: "Hulk"))
        let catalog = EditableCatalog(BuiltInCatalog.catalog())
        let curation = Curation(
            catalog: catalog,
            edits: store.edits,
            pictures: NoPictureCheck()
        )
        let service = CharacterService(catalog: catalog, store: store, curation: curation, allowsEdits: true)
        let server = try await RPCServer.start(
            on: [ServerWire.framed, .http].map { ListeningEndpoint(.tcp(host: "127.0.0.1", port: 0), wire: $0) },
            services: service.services,
            logger: Logger(label: "test")
        )
        let framed = WireClient(.framed, at: server.addresses[0])
        let grpc = WireClient(.grpc, at: server.addresses[1])
        let result: Result<Void, any Error>
        do { result = .success(try await body(framed, grpc)) } catch { result = .failure(error) }
        await framed.shutdown()
        await grpc.shutdown()
        server.stop()
        await server.run()
        await store.close()
        try result.get()
    }
}

private struct NoPictureCheck: PictureCheck {
    func problem(with picture: Picture) async -> String? { nil }
}
