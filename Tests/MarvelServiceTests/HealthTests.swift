import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct HealthTests {
    private let health = ServiceHealth()
    private var service: CharacterService {
        CharacterService(catalog: TestCatalog.builtIn, store: MemoryFavoritesStore(), health: health)
    }

    private func check(_ name: String) async throws -> HealthCheckResponse.ServingStatus {
        let response: HealthCheckResponse =
            try await service.call("Check", of: ServiceHealth.serviceName, HealthCheckRequest(service: name))
        return response.status
    }

    @Test(arguments: ["", "marvel.v1.MarvelService", "grpc.health.v1.Health"])
    func whatTheServerServesIsServingUntilItDrains(_ name: String) async throws {
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
}
