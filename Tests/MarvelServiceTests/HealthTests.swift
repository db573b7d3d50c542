import NIOCore
import NIOEmbedded
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct HealthTests {
    private let health = ServiceHealth()
    private let storeHealth = ServiceHealth()
    private var service: CharacterService {
        CharacterService(
            catalog: TestCatalog.builtIn,
            store: MemoryFavoritesStore(),
            health: health,
            storeHealth: storeHealth
        )
    }

    private func check(_ name: String) async throws -> HealthCheckResponse.ServingStatus {
        let response: HealthCheckResponse =
            try await service.call("Check", of: ServiceHealth.serviceName, HealthCheckRequest(service: name))
        return response.status
    }

    @Test(arguments: ["", "marvel.v1.MarvelService", "grpc.health.v1.Health"])
    func servicesAreServingUntilTheDrain(_ name: String) async throws {
        #expect(try await check(name) == .serving)
        health.stopServing()
        #expect(try await check(name) == .notServing)
    }

    @Test(arguments: ["marvel", "marvel.v1.marvelservice", "marvel.v1.MarvelService/SearchCharacters", " "])
    func anUnknownNameIsNotFound(_ name: String) async {
        let request = HealthCheckRequest(service: name)
        let error = await service.error("Check", of: ServiceHealth.serviceName, request.encoded())
        #expect(error?.code == .notFound)
        #expect(error?.reason == .serviceUnknown)
    }

    /// A server whose store is not available still answers searches.
    @Test func theStoreHasItsOwnHealth() async throws {
        #expect(try await check("marvel.v1.store") == .serving)
        storeHealth.set(isServing: false)
        #expect(try await check("marvel.v1.store") == .notServing)
        #expect(try await check("") == .serving)
        storeHealth.set(isServing: true)
        #expect(try await check("marvel.v1.store") == .serving)
        storeHealth.stopServing()
        storeHealth.set(isServing: true)
        #expect(try await check("marvel.v1.store") == .notServing, "it has stopped for good")
        health.stopServing()
        #expect(try await check("") == .notServing)
    }

    @Test func theListNamesEveryService() async throws {
        let names = [
            "", "marvel.v1.MarvelService", "grpc.health.v1.Health", "marvel.v1.store",
            "grpc.reflection.v1.ServerReflection",
        ]
        let response: HealthListResponse =
            try await service.call("List", of: ServiceHealth.serviceName, HealthListRequest())
        #expect(response.statuses.map(\.key) == names)
        #expect(response.statuses.allSatisfy { $0.value?.status == .serving })
        health.stopServing()
        storeHealth.stopServing()
        let later: HealthListResponse =
            try await service.call("List", of: ServiceHealth.serviceName, HealthListRequest())
        #expect(later.statuses.allSatisfy { $0.value?.status == .notServing })
    }

    // MARK: Watching

    private func cursor(_ name: String) throws -> LogCursor {
        let methods = service.services.first { $0.name == ServiceHealth.serviceName }?.methods
        let watch = try #require(methods?.first { $0.name == "Watch" })
        let call = IncomingCall(payload: HealthCheckRequest(service: name).encoded())
        return try #require(try watch.start(call).source().cursor)
    }

    private func status(_ entry: LogEntry) throws -> (HealthCheckResponse.ServingStatus, number: Int64)? {
        guard case .message(let message, let number) = entry else { return nil }
        return (try HealthCheckResponse(decoding: message.encoded, limit: .response).status, number)
    }

    @Test func aWatcherGetsTheStatusAndTheNext() throws {
        var cursor = try cursor("")
        let now = try #require(try status(cursor.entry()))
        #expect(now == (.serving, 0))
        cursor.number = now.number
        #expect(try status(cursor.entry()) == nil)
        let loop = EmbeddedEventLoop()
        let calls = NIOLoopBoundBox(0, eventLoop: loop)
        let cancel = health.listen(Waker(on: loop) { calls.value += 1 })
        health.stopServing()
        health.stopServing()
        loop.run()
        #expect(calls.value == 1)
        cancel()
        let next = try #require(try status(cursor.entry()))
        #expect(next == (.notServing, 1))
        cursor.number = next.number
        #expect(try status(cursor.entry()) == nil)
        #expect(try status(self.cursor("marvel.v1.MarvelService").entry())?.0 == .notServing)
    }

    @Test func aWatcherOfTheStoreGetsOnlyTheLastStatus() throws {
        var cursor = try cursor("marvel.v1.store")
        cursor.number = try #require(try status(cursor.entry())).number
        for isServing in [false, false, true, false, true, false] { storeHealth.set(isServing: isServing) }
        let last = try #require(try status(cursor.entry()))
        #expect(last == (.notServing, 5))
        cursor.number = last.number
        #expect(try status(cursor.entry()) == nil)
    }

    @Test func anUnknownServiceStaysUnknown() throws {
        var cursor = try cursor("other")
        let now = try #require(try status(cursor.entry()))
        #expect(now == (.serviceUnknown, 0))
        cursor.number = now.number
        health.stopServing()
        #expect(try status(cursor.entry()) == nil)
    }
}
