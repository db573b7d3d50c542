import Catalog
import MarvelDomain
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import StoreContract
import Testing
import WireClients
import WireMessages

@testable import MarvelService

/// Each method over each wire: without its scope it is refused, and with it served.
@Suite(.timeLimit(.minutes(1)))
struct MethodScopeTests {
    private static let hulk: Int64 = 1_009_351

    /// A method with a request that is valid.
    struct Case: Sendable, CustomTestStringConvertible {
        var path: MethodPath
        var isStream: Bool
        var request: ByteBuffer
        /// The scope that it needs; empty if it needs none.
        var scope: String
        /// A scope that is close, and not enough.
        var others: [String]

        init<Request: WireMessage, Response: WireMessage>(
            _ method: MethodDescriptor<Request, Response>,
            _ request: Request,
            _ scope: String,
            not others: String...
        ) {
            path = method.path
            isStream = method.kind == .serverStreaming
            self.request = request.encoded()
            self.scope = scope
            self.others = others
        }

        var testDescription: String { "\(path) \(scope)" }
    }

    static let cases = [
        Case(HealthMethods.check, HealthCheckRequest(), ""),
        Case(HealthMethods.watch, HealthCheckRequest(), ""),
        Case(HealthMethods.list, HealthListRequest(), ""),
        Case(
            MarvelServiceMethods.searchCharacters,
            SearchCharactersRequest(query: "spider", maxPages: 1),
            "catalog:read"
        ),
        Case(MarvelServiceMethods.getCharacter, GetCharacterRequest(id: hulk), "catalog:read", not: "lists:write:*"),
        Case(MarvelServiceMethods.getCatalogInfo, GetCatalogInfoRequest(), "catalog:read", not: "admin"),
        Case(MarvelServiceMethods.suggestNames, SuggestNamesRequest(query: "hu"), "catalog:read", not: "catalog:edit"),
        Case(MarvelServiceMethods.getThumbnail, GetThumbnailRequest(id: hulk), "catalog:read"),
        Case(
            MarvelServiceMethods.listFavorites,
            ListFavoritesRequest(list: "reading"),
            "lists:read:reading",
            not: "lists:read:read",
            "catalog:read"
        ),
        Case(MarvelServiceMethods.listFavorites, ListFavoritesRequest(), "lists:read:default", not: "lists:read:other"),
        Case(
            MarvelServiceMethods.watchFavorites,
            WatchFavoritesRequest(list: "reading"),
            "lists:read:reading",
            not: "lists:read:other-*"
        ),
        Case(
            MarvelServiceMethods.toggleFavorite,
            ToggleFavoriteRequest(list: "reading", characterID: hulk),
            "lists:write:reading",
            not: "lists:read:*",
            "lists:write:other"
        ),
        Case(
            MarvelServiceMethods.deleteList,
            DeleteListRequest(list: "reading"),
            "lists:write:reading",
            not: "lists:read:reading"
        ),
        Case(MarvelServiceMethods.listLists, ListListsRequest(), "admin", not: "lists:read:*"),
        Case(
            MarvelServiceMethods.createCharacter,
            CreateCharacterRequest(character: MarvelCharacter(id: 0, name: "A")),
            "catalog:edit",
            not: "catalog:read"
        ),
        Case(
            MarvelServiceMethods.updateCharacter,
            UpdateCharacterRequest(character: MarvelCharacter(id: hulk, name: "A")),
            "catalog:edit",
            not: "catalog:read"
        ),
    ]

    @Test func everyMethodIsTried() {
        let reflection = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"]
        let tried = Set(Self.cases.map(\.path)).union(
            reflection.map { MethodPath(service: $0, method: "ServerReflectionInfo") }
        )
        let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: MemoryFavoritesStore())
        let methods = service.services.flatMap { service in
            service.methods.map { MethodPath(service: service.name, method: $0.name) }
        }
        #expect(tried == Set(methods))
    }

    @Test(arguments: cases)
    func aMethodIsServedWithItsScopeOnly(_ method: Case) async throws {
        let everything = try ["catalog:read", "catalog:edit", "lists:write:zz*", "admin"].map {
            try #require(Scope($0))
        }
        let others = try method.others.map { try #require(Scope($0)) }
        let scope = Scope(method.scope).map { [$0] } ?? []
        // All others, but for the one that it needs.
        let almost = everything.filter { $0.description != method.scope }
        let records = [
            TestToken.record(1, scope), TestToken.record(2, others), TestToken.record(3, almost),
            TestToken.record(4, []),
        ]
        try await GuardedServer.run(records) { guarded in
            for wire in TestWire.allCases {
                try await guarded.withClient(wire) { client in
                    func call(_ number: UInt8?) async -> Result<ByteBuffer?, RPCError> {
                        let metadata = number.map { TestToken.metadata(TestToken.token($0)) } ?? Metadata()
                        return await client.first(method.path, isStream: method.isStream, method.request, metadata)
                    }
                    let served = await call(1)
                    if method.scope == "catalog:edit" {
                        // The server has no edits, which is the second thing that is asked.
                        #expect(served.error?.reason == .editsUnsupported, "\(wire)")
                    } else {
                        #expect(throws: Never.self, "\(wire)") { try served.get() }
                    }
                    guard !method.scope.isEmpty else {
                        #expect(throws: Never.self) { try served.get() }
                        let stranger = await call(nil)
                        #expect(throws: Never.self) { try stranger.get() }
                        return
                    }
                    for number in [2, 3, 4] as [UInt8] {
                        let error = await call(number).error
                        #expect(error?.code == .permissionDenied, "\(wire) \(number)")
                        #expect(error?.reason == .scopeMissing)
                        #expect(error?.message == "reader lacks \(method.scope).")
                    }
                    let error = await call(nil).error
                    #expect(error?.code == .unauthenticated)
                    #expect(error?.reason == .tokenMissing)
                    #expect(error?.message == "A token is needed.")
                }
            }
        }
    }

    /// An error is the same for a list that exists and for one that does not.
    @Test func aRefusalRevealsNothingAboutExistence() async throws {
        let records = [
            TestToken.record(1, [.listsWrite(.all)], name: "owner"), TestToken.record(2, [.catalogRead]),
        ]
        try await GuardedServer.run(records) { guarded in
            for wire in TestWire.allCases {
                try await guarded.withClient(wire) { client in
                    let toggle = ToggleFavoriteRequest(list: "secret", characterID: Self.hulk, desired: .saved)
                    let made = await client.first(
                        MarvelServiceMethods.toggleFavorite.path,
                        toggle.encoded(),
                        TestToken.metadata(TestToken.token(1))
                    )
                    #expect(throws: Never.self) { try made.get() }
                    var texts: [String] = []
                    for list in ["secret", "absent"] {
                        let error = await client.first(
                            MarvelServiceMethods.listFavorites.path,
                            ListFavoritesRequest(list: list).encoded(),
                            TestToken.metadata(TestToken.token(2))
                        ).error
                        var facts: [String] = error.map { ["\($0)"] } ?? []
                        for case .errorInfo(let info) in error?.details ?? [] {
                            facts += info.metadata.sorted { $0.key < $1.key }.map { "\($0)" } + ["\(info.reason)"]
                        }
                        texts.append(facts.joined(separator: " ").replacing(list, with: "L"))
                    }
                    #expect(texts[0] == texts[1])
                    #expect(texts[0].contains("reader lacks lists:read:L."))
                }
            }
        }
    }

    @Test func strangersMayReadTheCatalogIfTheOperatorSaysSo() async throws {
        try await GuardedServer.run(anonymous: [.catalogRead]) { guarded in
            for wire in TestWire.allCases {
                try await guarded.withClient(wire) { client in
                    let request = SearchCharactersRequest(query: "spider", maxPages: 1)
                    let page = await client.first(
                        MarvelServiceMethods.searchCharacters.path,
                        isStream: true,
                        request.encoded()
                    )
                    #expect(throws: Never.self) { try page.get() }
                    let list = await client.first(
                        MarvelServiceMethods.listFavorites.path,
                        ListFavoritesRequest().encoded()
                    )
                    #expect(list.error?.reason == .tokenMissing)
                }
            }
        }
    }
}

extension Result where Failure == RPCError {
    var error: RPCError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
