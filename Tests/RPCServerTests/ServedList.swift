import Catalog
import FavoritesSQLite
import Foundation
import Framing
import Logging
import MarvelDomain
import RPCCore
import RPCServer
import Testing
import WireClients

@testable import MarvelService

/// A list of the real service, with the real store, behind sockets.
final class ServedList {
    /// A watcher that is so many bytes of changes behind has lost its place.
    static let maximumBacklog = 64 * 1024

    let server: RPCServer
    /// Before any change.
    let begin: FavoritesList
    private(set) var revision: Int64 = 0
    private let service: CharacterService
    private let store: SQLiteFavoritesStore

    private init(_ server: RPCServer, _ service: CharacterService, _ store: SQLiteFavoritesStore) async throws {
        self.server = server
        self.service = service
        self.store = store
        begin = try await store.favorites(.default)
    }

    var tcp: ServerAddress { server.addresses[0] }
    var unix: ServerAddress { server.addresses[1] }

    /// The number of watches that are open.
    var watchCount: Int { service.watches.count }

    static func run(
        watchLimits: WatchLimits = WatchLimits(),
        _ body: (ServedList) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.patient
        // Whoever does not read is kept, so that it can be told what it missed.
        configuration.writeTimeout = .seconds(3_600)
        configuration.drainTimeout = .zero
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let path = folder.appending(path: "socket").path
        let store = try SQLiteFavoritesStore(path: folder.appending(path: "store").path, durability: .none)
        let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: store, watchLimits: watchLimits)
        let server = try await RPCServer.start(
            on: [ListeningEndpoint(.tcp(host: "127.0.0.1", port: 0)), ListeningEndpoint(.unix(path: path))],
            services: service.services,
            configuration: configuration,
            logger: Logger(label: "test")
        )
        try await running {
            try await body(try await ServedList(server, service, store))
        } finally: {
            server.stop()
            await server.run()
            await store.close()
            #expect(server.unsentByteCount == 0)
            // Work of a call may end a little later than its connection.
            try await eventually { service.watches.count == 0 }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Saves a character that was never saved before.
    func change() async throws {
        let character = MarvelCharacter(
            id: revision + 1,
            name: "Character \(revision + 1)",
            description: String(repeating: "long ", count: 400)
        )
        let toggle = Toggle(list: .default, characterID: character.id, desired: .saved)
        let outcome = try await store.toggle(toggle, character: character)
        revision += 1
        #expect(outcome.revision == revision)
    }
}

extension ToggleOutcome {
    fileprivate var revision: Int64? {
        if case .done(let result) = self { result.revision } else { nil }
    }
}
