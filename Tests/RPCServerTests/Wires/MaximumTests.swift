import Catalog
import HTTPFraming
import Logging
import MarvelDomain
import MarvelService
import NIOCore
import RPCCore
import SampleRequests
import StoreContract
import Testing
import WireClients
import WireMessages

@testable import RPCServer

/// Every method at every documented maximum, over every wire.
///
/// The largest sample request of each method is sent as it is, and filled up with an unknown field, or with white space
/// in JSON, to the largest message that the method takes. One byte more is refused.
@Suite(.timeLimit(.minutes(10)))
struct MaximumTests {
    private static func service() -> CharacterService {
        let catalog = EditableCatalog(BuiltInCatalog.catalog())
        let store = MemoryFavoritesStore()
        let curation = Curation(catalog: catalog, edits: MemoryEditStore())
        return CharacterService(catalog: catalog, store: store, curation: curation, allowsEdits: true)
    }

    private static let wires: [Wire] = [.framed, .connectHTTP1, .jsonHTTP1, .gRPC, .connectHTTP2, .jsonHTTP2]

    private func first(
        _ path: MethodPath,
        _ method: RPCMethod,
        _ request: ByteBuffer,
        over wire: Wire,
        _ server: RPCServer
    ) async throws -> Result<ByteBuffer?, RPCError> {
        let peer = try await WirePeer.connect(wire, to: server)
        let outcome = try await peer.first(path, isStream: method.isStreaming, request)
        try? await peer.socket.close()
        return outcome
    }

    @Test(arguments: wires) func everyMethodTakesItsMaximum(over wire: Wire) async throws {
        let service = Self.service()
        try await TestServer.run(services: service.services, wires: [wire.serverWire(TestMethods())]) { server in
            for (path, method) in Self.methods(of: service, over: wire) {
                let message = try #require(SampleRequests.all[path], "\(path) has no sample request").largest
                let row = message.encoded()
                let maximum = method.maximumRequestBytes
                let requests =
                    try wire.isJSON
                    ? Self.jsonRequests(message, method) : [row, row.filled(to: maximum), row.filled(to: maximum + 1)]
                for (request, expected) in zip(requests, [nil, nil, StatusCode.resourceExhausted]) {
                    let outcome = try await first(path, method, request, over: wire, server)
                    #expect(outcome.error?.code == expected, "\(path): \(request.readableBytes) bytes")
                }
            }
        }
    }

    /// Conversations are for gRPC. This client of the framed wire has none.
    private static func methods(of service: CharacterService, over wire: Wire) -> [(MethodPath, RPCMethod)] {
        service.services.flatMap { service in
            service.methods.filter { wire == .gRPC || !$0.takesFurtherRequests }
                .map { (MethodPath(service: service.name, method: $0.name), $0) }
        }
    }

    /// The methods whose answers grow with what is served, and the bytes that an answer has at the least: a page, or a list, of
    /// 100 of the largest characters, and a page of 1,000 of the longest names.
    private static let largeAnswers: [MethodPath: (request: any WireMessage, byteCount: Int)] = [
        MarvelServiceMethods.searchCharacters.path: (
            request: SearchCharactersRequest(query: "漢漢", match: .substring, pageSize: 100, maxPages: 1),
            byteCount: 2_500_000
        ),
        MarvelServiceMethods.listFavorites.path: (
            request: ListFavoritesRequest(list: SampleRequests.list), byteCount: 2_500_000
        ),
        MarvelServiceMethods.watchFavorites.path: (
            request: WatchFavoritesRequest(list: SampleRequests.list), byteCount: 2_500_000
        ),
        MarvelServiceMethods.listLists.path: (request: ListListsRequest(pageSize: 1_000), byteCount: 60_000),
    ]

    @Test(arguments: wires) func everyMethodSendsItsMaximum(over wire: Wire) async throws {
        let store = MemoryFavoritesStore(capacity: 100)
        let characters = (1...100).map { SampleRequests.character(id: $0) }
        func save(_ character: MarvelCharacter, in list: String) async throws {
            let toggle = Toggle(list: try #require(ListName(list)), characterID: character.id, desired: .saved)
            _ = try await store.toggle(toggle, character: character)
        }
        for character in characters { try await save(character, in: SampleRequests.list) }
        for number in 1_000..<2_000 {
            try await save(characters[0], in: "\(number)" + SampleRequests.list.dropFirst(4))
        }
        let attribution = String(repeating: "a", count: CharacterLimits.attributionBytes)
        let catalog = InMemoryCatalog(characters, kind: .builtIn, attribution: attribution, source: .builtIn)
        let service = CharacterService(catalog: catalog, store: store)
        try await TestServer.run(services: service.services, wires: [wire.serverWire(TestMethods())]) { server in
            for (path, method) in Self.methods(of: service, over: wire) {
                guard let (message, byteCount) = Self.largeAnswers[path] else { continue }
                let request = wire.isJSON ? try message.json() : message.encoded()
                let answer = try await first(path, method, request, over: wire, server).get()
                #expect((answer?.readableBytes ?? 0) > byteCount, "\(path)")
            }
        }
    }

    /// The request in JSON, as it is and filled up with white space.
    private static func jsonRequests(_ message: any WireMessage, _ method: RPCMethod) throws -> [ByteBuffer] {
        let json = try message.json()
        let maximum = 2 * method.maximumRequestBytes
        return [json.readableBytes, maximum, maximum + 1].map { byteCount in
            var request = json
            request.writeRepeatingByte(UInt8(ascii: " "), count: byteCount - json.readableBytes)
            return request
        }
    }
}

extension ByteBuffer {
    /// The same message with an unknown field that makes it as long as wanted.
    fileprivate func filled(to byteCount: Int) -> ByteBuffer {
        // The field 2,047 with a length of four bytes, which may be written in more than it needs.
        var message = self
        let rest = byteCount - readableBytes - 6
        message.writeBytes([0xFA, 0x7F])
        for shift in [0, 7, 14] { message.writeInteger(UInt8(rest >> shift & 0x7F) | 0x80) }
        message.writeInteger(UInt8(rest >> 21))
        message.writeRepeatingByte(7, count: rest)
        return message
    }
}
